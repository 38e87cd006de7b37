#include "CMagpieJPEG.h"
