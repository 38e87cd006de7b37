#include "CDemoPictures.h"

// Drawn by Scripts/make-demo-pictures.py: one picture for each kind of file that the loader reads.

#pragma clang diagnostic ignored "-Wc23-extensions"

// Lossless WebP, with transparency.
static const unsigned char magpie_on_a_branch[] = {
#embed "pictures/magpie-on-a-branch.webp"
};

// Baseline JPEG.
static const unsigned char misty_ridges_at_dawn[] = {
#embed "pictures/misty-ridges-at-dawn.jpg"
};

// PNG, RGB.
static const unsigned char paper_city[] = {
#embed "pictures/paper-city.png"
};

// Progressive JPEG.
static const unsigned char moonlit_hills[] = {
#embed "pictures/moonlit-hills.jpg"
};

// Interlaced PNG.
static const unsigned char stained_glass[] = {
#embed "pictures/stained-glass.png"
};

// Grey JPEG.
static const unsigned char nautilus[] = {
#embed "pictures/nautilus.jpg"
};

// JPEG stored on its side, Exif orientation 6.
static const unsigned char sunflower[] = {
#embed "pictures/sunflower.jpg"
};

// Lossy WebP.
static const unsigned char julia_set[] = {
#embed "pictures/julia-set.webp"
};

// PNG, RGB with transparency.
static const unsigned char colour_wheel[] = {
#embed "pictures/colour-wheel.png"
};

// GIF.
static const unsigned char rising_sun_sea[] = {
#embed "pictures/rising-sun-sea.gif"
};

// PNG with a palette.
static const unsigned char bulging_grid[] = {
#embed "pictures/bulging-grid.png"
};

// Animated GIF.
static const unsigned char ringed_planet[] = {
#embed "pictures/ringed-planet.gif"
};

const struct magpie_demo_picture magpie_demo_pictures[] = {
    {"magpie-on-a-branch.webp", "Magpie on a Branch", magpie_on_a_branch, sizeof magpie_on_a_branch},
    {"misty-ridges-at-dawn.jpg", "Misty Ridges at Dawn", misty_ridges_at_dawn, sizeof misty_ridges_at_dawn},
    {"paper-city.png", "Paper City", paper_city, sizeof paper_city},
    {"moonlit-hills.jpg", "Moonlit Hills", moonlit_hills, sizeof moonlit_hills},
    {"stained-glass.png", "Stained Glass", stained_glass, sizeof stained_glass},
    {"nautilus.jpg", "Nautilus", nautilus, sizeof nautilus},
    {"sunflower.jpg", "Sunflower", sunflower, sizeof sunflower},
    {"julia-set.webp", "Julia Set", julia_set, sizeof julia_set},
    {"colour-wheel.png", "Colour Wheel", colour_wheel, sizeof colour_wheel},
    {"rising-sun-sea.gif", "Sea under a Rising Sun", rising_sun_sea, sizeof rising_sun_sea},
    {"bulging-grid.png", "Bulging Grid", bulging_grid, sizeof bulging_grid},
    {"ringed-planet.gif", "Ringed Planet", ringed_planet, sizeof ringed_planet},
};

const int magpie_demo_picture_count = sizeof magpie_demo_pictures / sizeof magpie_demo_pictures[0];

const struct magpie_demo_picture *magpie_demo_picture_at(int index) {
    return index >= 0 && index < magpie_demo_picture_count ? &magpie_demo_pictures[index] : NULL;
}
