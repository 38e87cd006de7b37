#include "CDemoPictures.h"
