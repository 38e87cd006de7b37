#include "CMagpiePNG.h"
