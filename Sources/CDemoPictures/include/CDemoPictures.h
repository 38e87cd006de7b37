#pragma once

#include <stddef.h>

/// A picture file carried inside the program.
struct magpie_demo_picture {
    /// The name of the file, which ends in its format: `nautilus.jpg`. Only ASCII letters, digits, `-` and `.`.
    const char *name;
    /// What the picture shows, for people.
    const char *title;
    /// The file itself, `size` bytes, not ended by a zero. Lives as long as the program.
    const unsigned char *bytes;
    size_t size;
};

/// The pictures, in the order in which they look best side by side.
extern const struct magpie_demo_picture magpie_demo_pictures[];

/// How many pictures there are.
extern const int magpie_demo_picture_count;

/// The picture at an index from 0 to `magpie_demo_picture_count - 1`, and null for any other index. Swift does not see
/// the array itself, whose length is not part of its type.
const struct magpie_demo_picture *magpie_demo_picture_at(int index);
