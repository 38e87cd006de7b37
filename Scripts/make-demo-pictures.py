#!/usr/bin/env python3
"""Draws the twelve demo pictures, one for each kind of image file that the loader reads.

    python3 Scripts/make-demo-pictures.py [OUTDIR [NAME ...]]

OUTDIR is Sources/CDemoPictures/pictures unless given. Needs numpy and Pillow (python3-numpy, python3-pil).
Every picture is computed: nothing random without a fixed seed, no fonts, no borrowed images. The same versions
of the libraries give the same bytes.
"""

import struct
import sys
import zlib
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

TAU = 2 * np.pi


# ---------------------------------------------------------------- colour, noise, curves


def rgb(code):
    """'#rrggbb' as three numbers from 0 to 1."""
    return np.array([int(code[i : i + 2], 16) for i in (1, 3, 5)]) / 255


def rgb8(colour):
    """A colour from 0 to 1 as the tuple of bytes that Pillow draws with."""
    return tuple(int(round(float(np.clip(c, 0, 1)) * 255)) for c in colour)


def ramp(t, *stops):
    """The colours at positions t of a gradient; a stop is (position, '#rrggbb')."""
    places = [place for place, _ in stops]
    colours = np.array([rgb(code) for _, code in stops])
    return np.stack([np.interp(t, places, colours[:, i]) for i in range(3)], axis=-1)


def mix(a, b, t):
    return a + (b - a) * t


def smoothstep(low, high, x):
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def over(canvas, colour, coverage):
    """Lays a colour over the canvas (in place) where coverage, 0 to 1, says so."""
    coverage = np.asarray(coverage)[..., None]
    canvas += (colour - canvas) * coverage


def grid(width, height):
    """The coordinates of the pixel centres, as x (1 by width) and y (height by 1)."""
    return np.arange(width)[None, :] + 0.5, np.arange(height)[:, None] + 0.5


def noise1(rng, x, octaves, gain=0.5):
    """Smooth noise of one variable, about -1 to 1; x counts in periods of the coarsest octave."""
    total, weight = np.zeros_like(x), 1.0
    for octave in range(octaves):
        at = x * 2**octave
        values = rng.uniform(-1, 1, int(at.max()) + 3)
        cell = at.astype(int)
        t = at - cell
        total += weight * mix(values[cell], values[cell + 1], t * t * (3 - 2 * t))
        weight *= gain
    return total


def noise2(rng, x, y, octaves, gain=0.5):
    """Smooth noise of two variables, about -1 to 1; x and y must not be negative."""
    x, y = np.broadcast_arrays(x, y)
    total, weight = np.zeros(x.shape), 1.0
    for octave in range(octaves):
        u, v = x * 2**octave, y * 2**octave
        values = rng.uniform(-1, 1, (int(v.max()) + 3, int(u.max()) + 3))
        i, j = u.astype(int), v.astype(int)
        s, t = u - i, v - j
        s, t = s * s * (3 - 2 * s), t * t * (3 - 2 * t)
        top = mix(values[j, i], values[j, i + 1], s)
        bottom = mix(values[j + 1, i], values[j + 1, i + 1], s)
        total += weight * mix(top, bottom, t)
        weight *= gain
    return total


def curve(points, closed=True, steps=24):
    """A smooth line (Catmull-Rom) through the points."""
    p = np.array(points, float)
    if closed:
        p = np.concatenate([p[-1:], p, p[:2]])
    else:
        p = np.concatenate([2 * p[:1] - p[1:2], p, 2 * p[-1:] - p[-2:-1]])
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    pieces = []
    for a, b, c, d in zip(p, p[1:], p[2:], p[3:]):
        pieces.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3))
    if not closed:
        pieces.append(p[-2:-1])
    return np.concatenate(pieces)


def to_image(canvas):
    """A canvas of numbers from 0 to 1 as a Pillow image."""
    return Image.fromarray((np.clip(canvas, 0, 1) * 255 + 0.5).astype(np.uint8))


def to_canvas(image):
    return np.asarray(image, float) / 255


class Pen:
    """Draws anti-aliased flat shapes: on a canvas some times too large, which is averaged at the end."""

    def __init__(self, width, height, background, scale=4):
        self.scale = scale
        self.image = Image.new("RGBA" if len(background) == 4 else "RGB", (width * scale, height * scale), background)
        self.draw = ImageDraw.Draw(self.image)

    def points(self, points):
        return [(float(x) * self.scale, float(y) * self.scale) for x, y in points]

    def polygon(self, points, fill):
        self.draw.polygon(self.points(points), fill=fill)

    def disc(self, x, y, radius, fill):
        self.ellipse(x, y, radius, radius, fill)

    def ellipse(self, x, y, across, down, fill):
        s = self.scale
        self.draw.ellipse([(x - across) * s, (y - down) * s, (x + across) * s, (y + down) * s], fill=fill)

    def line(self, points, width, fill):
        """A line with round joints; width is one number, or one for each point."""
        p = np.array(points, float)
        widths = np.broadcast_to(width, len(p))
        for (x0, y0), (x1, y1), w in zip(p, p[1:], widths):
            self.draw.line(self.points([(x0, y0), (x1, y1)]), fill=fill, width=max(1, round(float(w) * self.scale)))
        for (x, y), w in zip(p, widths):
            self.disc(x, y, w / 2, fill)

    def finish(self, by=None):
        """The picture at its true size, or made smaller by another factor. What is transparent lends no colour."""
        by = by or self.scale
        if self.image.mode != "RGBA":
            return self.image.reduce(by)
        premultiplied = self.image.convert("RGBa").reduce(by)
        return premultiplied.convert("RGBA")


def few_colours(image, count):
    """The image with its closest colours merged, which a PNG or GIF packs far better."""
    return image.quantize(count, method=Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE).convert("RGB")


# ---------------------------------------------------------------- the pictures


def forest(rng, width, height, line, count, low, high):
    """The coverage of a ridge with pines on it: the ground below the line, and trees between low and high tall."""
    mask = Image.new("L", (width * 2, height * 2), 0)
    draw = ImageDraw.Draw(mask)
    ground = [(2 * i, 2 * float(line[min(i, width - 1)])) for i in range(0, width + 8, 8)]
    draw.polygon([*ground, (2 * width + 16, 2 * height), (0, 2 * height)], fill=255)
    for _ in range(count):
        middle, tall = rng.uniform(0, width), rng.uniform(low, high)
        foot, reach = line[int(middle)] + 0.08 * tall, tall * rng.uniform(0.17, 0.23)
        side = [(0.0, 1.0)]
        for tier in range(1, 9):
            # Each tier of branches hangs out wider than the one above, and the trunk shows a little between them.
            wide, up = (tier / 8) ** 0.85, 1 - tier / 8.6
            side += [(wide * rng.uniform(0.85, 1.05), up - 0.015), (wide * 0.56, up)]
        left = [(2 * (middle - reach * a), 2 * (foot - tall * b)) for a, b in side]
        right = [(2 * (middle + reach * a * 0.96), 2 * (foot - tall * b)) for a, b in reversed(side)]
        draw.polygon([*left, (2 * middle, 2 * foot), *right], fill=255)
    return to_canvas(mask.reduce(2))


def misty_ridges():
    """Mountain ridges behind one another, the valleys filled with mist, at sunrise."""
    scale, width, height = 2, 1600, 1200
    w, h = width * scale, height * scale
    rng = np.random.default_rng(8)
    x, y = grid(w, h)
    canvas = ramp(
        np.broadcast_to(y / h, (h, w)),
        (0, "#3b5484"),
        (0.16, "#7d86ab"),
        (0.28, "#d3a5a3"),
        (0.38, "#f8cf9d"),
        (0.46, "#ffe6b5"),
        (1, "#ffe6b5"),
    )
    sun_x, sun_y, sun = 0.645 * w, 0.335 * h, 0.044 * w
    away = np.hypot(x - sun_x, y - sun_y)
    over(canvas, rgb("#ffdf9e"), 0.85 * np.exp(-away / (0.12 * w)))
    over(canvas, rgb("#fffbe6"), smoothstep(sun + 2, sun - 2, away))
    # Long thin clouds, lit from below.
    streaks = noise2(rng, x / w * 3.2, np.broadcast_to(y / h * 22, (h, w)), 4)
    fade = smoothstep(0.02, 0.10, y / h) * smoothstep(0.36, 0.22, y / h)
    over(canvas, rgb("#ffcfae"), 0.65 * smoothstep(0.12, 0.9, streaks) * fade)
    layers = 9
    for i in range(layers):
        depth = i / (layers - 1)
        t = np.linspace(0, 1, w) * (2.1 + 1.4 * depth) + 0.01
        rough = noise1(rng, t, 9, 0.47)
        ridge = 0.55 - np.abs(rough)
        swell = noise1(rng, np.linspace(0, 1, w) * 1.6 + 0.01, 2)
        base = 0.375 + 0.54 * depth**1.15
        line = h * (base - (0.055 + 0.075 * np.sin(np.pi * min(1, depth + 0.25))) * (ridge + 0.75 * swell))
        cover = np.clip(y - line[None, :] + 0.5, 0, 1)
        if i >= layers - 3:
            tall = [0.022, 0.05, 0.125][i - layers + 3] * h
            cover = forest(rng, w, h, line, [520, 300, 120][i - layers + 3], 0.4 * tall, tall)
        # Mist lies level: it follows only the broad shape of the ridge above it.
        broad = np.convolve(np.pad(line, w // 8, mode="edge"), np.hanning(w // 4) / np.hanning(w // 4).sum(), "same")
        level = broad[w // 8 : w // 8 + w][None, :] - 0.02 * h
        crest = ramp(depth, (0, "#e3b3a2"), (0.25, "#b98a97"), (0.5, "#7b6c90"), (0.75, "#3d4770"), (1, "#131c39"))
        mist = ramp(depth, (0, "#fde0b8"), (0.3, "#f0bfa9"), (0.6, "#c29aa6"), (0.85, "#7d7597"), (1, "#2c3358"))
        below = np.clip((y - level) / (h * (0.12 + 0.16 * depth)), 0, 1) ** 1.25
        colour = mix(crest, mist, below[..., None])
        glow = np.exp(-(((x - sun_x) / (0.30 * w)) ** 2)) * (1 - depth) * 0.5
        colour = mix(colour, rgb("#ffdba0"), np.broadcast_to(glow, (h, w))[..., None])
        over(canvas, colour, cover)
    return to_image(canvas).reduce(scale)


def moonlit_hills():
    """A full moon over rolling hills, with a house where somebody is still awake."""
    scale, width, height = 2, 1280, 800
    w, h = width * scale, height * scale
    rng = np.random.default_rng(21)
    x, y = grid(w, h)
    canvas = ramp(
        np.broadcast_to(y / h, (h, w)),
        (0, "#0a1033"),
        (0.3, "#16265c"),
        (0.55, "#2c4c86"),
        (0.72, "#5d86a8"),
        (1, "#86abb8"),
    )
    # The Milky Way: a slanting band of noise.
    across = (y / h - 0.30) + (x / w - 0.36) * 0.75
    cloud = noise2(rng, x / w * 7, np.broadcast_to(y / w * 7, (h, w)), 5)
    band = np.exp(-(((across + 0.06 * cloud) / 0.13) ** 2))
    over(canvas, rgb("#a9a6e6"), 0.34 * band * smoothstep(-0.8, 1.0, cloud) * smoothstep(0.75, 0.3, y / h))
    for _ in range(900):
        sx, sy = rng.uniform(0, w), h * 0.72 * rng.uniform(0, 1) ** 1.3
        size, light = rng.uniform(0.8, 1.2), rng.uniform(0, 1) ** 4
        colour = rgb(["#ffffff", "#cfe0ff", "#ffe9c7"][rng.integers(3)])
        size += 1.5 * light
        x0, y0 = max(0, int(sx - 14)), max(0, int(sy - 14))
        x1, y1 = min(w, x0 + 29), min(h, y0 + 29)
        spot = np.exp(-((x[:, x0:x1] - sx) ** 2 + (y[y0:y1] - sy) ** 2) / (2 * size**2))
        over(canvas[y0:y1, x0:x1], colour, spot * (0.25 + 0.75 * light))
    mx, my, radius = 0.735 * w, 0.285 * h, 0.098 * h * 1.25
    away = np.hypot(x - mx, y - my)
    over(canvas, rgb("#cfe2f5"), 0.55 * np.exp(-np.maximum(away - radius, 0) / (0.085 * w)))
    over(canvas, rgb("#dbe9f7"), 0.16 * np.exp(-np.maximum(away - radius, 0) / (0.30 * w)))
    seas = 0.22 * noise2(rng, x / radius * 2.2, np.broadcast_to(y / radius * 2.2, (h, w)), 4)
    # The plains that one sees from the Earth: place and size of each.
    for sea_x, sea_y, size in [
        (-0.30, -0.42, 0.34),
        (0.20, -0.36, 0.23),
        (0.36, -0.05, 0.27),
        (-0.58, -0.04, 0.34),
        (-0.20, 0.36, 0.22),
        (-0.46, 0.40, 0.15),
        (0.69, -0.28, 0.12),
        (0.57, 0.16, 0.18),
    ]:
        seas = seas + np.exp(-(((x - mx) / radius - sea_x) ** 2 + ((y - my) / radius - sea_y) ** 2) / size**2)
    face = mix(rgb("#fdf8e4"), rgb("#c3c6c4"), (0.72 * smoothstep(0.25, 0.85, seas))[..., None])
    face = face * (1 - 0.16 * np.clip(away / radius, 0, 1) ** 4)[..., None]
    over(canvas, face, smoothstep(radius + 1.5, radius - 1.5, away))
    hills = [
        (0.655, 0.050, 1.7, "#5b86a6", "#7ea9bb"),
        (0.715, 0.055, 1.9, "#3c6590", "#5c8aa6"),
        (0.775, 0.060, 1.5, "#28497a", "#3f6a90"),
        (0.845, 0.062, 1.6, "#182f5c", "#2a4d78"),
        (0.925, 0.060, 1.3, "#0c1a3c", "#173055"),
    ]
    lines = []
    for i, (base, swing, waves, top, bottom) in enumerate(hills):
        t = np.linspace(0, 1, w)
        line = h * (
            base
            - swing * np.sin(TAU * (waves * t + 0.37 * i * i + 0.15))
            - 0.4 * swing * np.sin(TAU * (waves * 1.9 * t + i))
        )
        lines.append(line)
        below = np.clip((y - line[None, :]) / (0.16 * h), 0, 1)
        colour = mix(rgb(top), rgb(bottom), below[..., None])
        # A rim of moonlight along the slopes that face the moon.
        slope = np.gradient(line)
        facing = np.clip(0.4 + 2.2 * slope * np.tanh((mx - t * w) / (0.1 * w)), 0, 1)[None, :]
        rim = np.exp(-np.maximum(y - line[None, :], 0) / (0.012 * h)) * facing
        colour = mix(colour, rgb("#bcd8e6"), (0.5 * rim)[..., None])
        over(canvas, colour, np.clip(y - line[None, :] + 0.5, 0, 1))
        if i == 3:
            moonlit_farm(canvas, line)
    image = to_image(canvas)
    draw = ImageDraw.Draw(image)
    front = lines[-1]
    for place, tall in [(0.045, 150), (0.095, 210), (0.135, 130), (0.90, 120), (0.945, 190), (0.985, 150)]:
        cx, foot = place * w, front[int(place * w)] + 12
        outline = [(0, -1), (0.11, -0.72), (0.155, -0.40), (0.12, -0.12), (0.03, -0.02), (0.03, 0.1)]
        outline += [(-a, b) for a, b in reversed(outline[1:])]
        draw.polygon([(cx + a * tall, foot + b * tall) for a, b in curve(outline)], fill="#081230")
    return image.reduce(scale)


def moonlit_farm(canvas, line):
    """The house, its lit windows and the trees beside it, standing on a hill line."""
    h, w = canvas.shape[:2]
    image = to_image(canvas)
    draw = ImageDraw.Draw(image)
    cx = int(0.427 * w)
    foot = line[cx - 62 : cx + 63].max() + 8
    for dx, tall in [(-176, 84), (-138, 128), (-100, 76), (118, 104), (156, 72), (470, 66), (506, 92), (548, 58)]:
        ground = line[min(w - 1, cx + dx)] + 6
        draw.ellipse(
            [cx + dx - tall * 0.36, ground - tall, cx + dx + tall * 0.36, ground - tall * 0.12], fill="#14284f"
        )
        draw.rectangle([cx + dx - 3, ground - tall * 0.2, cx + dx + 3, ground + 6], fill="#14284f")
    draw.rectangle([cx - 62, foot - 66, cx + 62, foot], fill="#1d2f58")
    draw.polygon(
        [(cx - 78, foot - 62), (cx - 44, foot - 116), (cx + 44, foot - 116), (cx + 78, foot - 62)], fill="#101d40"
    )
    draw.rectangle([cx + 22, foot - 140, cx + 38, foot - 108], fill="#101d40")
    lights = [(-40, -48), (-8, -48)]
    for dx, dy in lights:
        draw.rectangle([cx + dx, foot + dy, cx + dx + 20, foot + dy + 24], fill="#ffd27a")
        draw.line([cx + dx + 10, foot + dy, cx + dx + 10, foot + dy + 24], fill="#8a5a2c", width=2)
    draw.rectangle([cx + 28, foot - 42, cx + 48, foot], fill="#101d40")
    canvas[:] = to_canvas(image)
    x, y = grid(w, h)
    glow = np.hypot(x - cx + 14, (y - foot + 34) * 1.2)
    over(canvas, rgb("#ffc96b"), 0.38 * np.exp(-((glow / 70) ** 2)))
    over(canvas, rgb("#ffb65c"), 0.13 * np.exp(-((glow / 190) ** 2)))


def nautilus():
    """A nautilus shell cut in half, each chamber a scaled copy of the one before: a logarithmic spiral."""
    width, height, scale = 900, 780, 2
    w, h = width * scale, height * scale
    rng = np.random.default_rng(3)
    x, y = grid(w, h)
    growth = np.log(3.05) / TAU
    cx, cy = 0.622 * w, 0.445 * h
    px, py = x - cx, y - cy
    r = np.hypot(px, py) + 1e-6
    angle = np.arctan2(-py, -px) + 0.62 - TAU * 0.2
    # Along the outer wall r = unit * exp(growth * total): total counts the angle through all the turns.
    unit = 0.00695 * w
    turns = np.ceil((np.log(r / unit) / growth - angle) / TAU)
    total = angle + turns * TAU
    outer = unit * np.exp(growth * total)
    inner = outer / np.exp(growth * TAU)
    u = (r - inner) / (outer - inner)
    last, body = 4.02 * TAU, 3.68 * TAU
    dome = np.sin(np.pi * np.clip(u, 0, 1))
    mouth = last + 0.35 * dome - 0.55 * u
    inside = smoothstep(0.6, -0.6, (total - mouth) * r)
    wall = 0.017 * outer + 1.2
    # Septa, the walls between the chambers: each spans the same angle and is hollow towards the mouth.
    span = TAU / 16
    phase = (total + 0.46 * (1 - (2 * u - 1) ** 2) - 0.10 * u) / span
    within = phase - np.floor(phase)
    chambered = smoothstep(0.5, -0.5, (phase - np.floor(body / span)) * span * r)
    septum = np.minimum(within, 1 - within) * span * r
    edge = np.minimum(
        np.minimum(outer - r, np.where(total > TAU, r - inner, 1e9)), 1.35 * np.maximum(mouth - total, 0) * r
    )
    hollow = (0.16 + 0.66 * within**1.6) * (0.55 + 0.45 * dome**0.8)
    hollow += 0.16 * np.exp(-(((u - 0.72) / 0.12) ** 2)) * within
    fine = noise1(rng, np.linspace(0, 220, 8000), 2)
    streak = fine[np.clip(total / (4.6 * TAU) * 7999, 0, 7999).astype(int)]
    open_part = 0.26 + 0.50 * dome**1.3 * smoothstep(body - 0.7, last, total) + 0.018 * streak
    open_part += 0.20 * np.exp(-(((u - 0.66) / 0.10) ** 2))
    value = mix(open_part, hollow, chambered)
    value = mix(value, 0.985, chambered * smoothstep(0.9, -0.9, septum - 0.0075 * outer))
    # The siphuncle, the thread that joins the chambers.
    thread = np.abs(u - 0.46) * (outer - inner)
    value = mix(value, 0.93, chambered * smoothstep(0.9, -0.9, thread - 0.006 * outer) * smoothstep(0.08, 0.12, within))
    shell = 0.90 + 0.10 * np.cos(edge / wall * np.pi)
    value = mix(value, shell, smoothstep(1, -1, edge - wall))
    value = np.where(r < unit * 2.2, 0.9, value)
    # A table of slate, lit from the upper left, and the shadow of the shell on it.
    light = np.hypot(x - 0.24 * w, y - 0.16 * h) / w
    table = 0.27 - 0.23 * np.clip(light, 0, 1.1)
    shadow = Image.fromarray((inside * 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(0.022 * w))
    shadow = np.roll(np.asarray(shadow, float) / 255, (int(0.024 * w), int(0.02 * w)), (0, 1))
    table = table * (1 - 0.85 * shadow)
    shade = 1.06 - 0.30 * np.clip(light - 0.1, 0, 1)
    return to_image(mix(table, value * shade, inside)).reduce(scale)


def sunflower():
    """A sunflower whose seeds sit at the golden angle. Upright here; its file stores it lying on its side."""
    width, height, scale = 660, 880, 3
    w, h = width * scale, height * scale
    rng = np.random.default_rng(5)
    x, y = grid(w, h)
    cx, cy = 0.5 * w, 0.375 * h
    away = np.hypot(x - cx, y - cy) / w
    back = ramp(away, (0, "#8fd3d6"), (0.45, "#4aa7b5"), (0.85, "#1d6f86"), (1.2, "#0f4a63"))
    image = to_image(back).convert("RGBA")
    draw = ImageDraw.Draw(image)
    stem = curve([(cx, cy), (cx + 24, h * 0.62), (cx - 22, h * 0.82), (cx + 30, h * 1.03)], closed=False, steps=60)
    for offset, thick, colour in [(0, 58, "#2f6b34"), (-8, 38, "#448a3f"), (-14, 15, "#69ad52")]:
        for px, py in stem:
            draw.ellipse(
                [px + offset - thick / 2, py - thick / 2, px + offset + thick / 2, py + thick / 2], fill=colour
            )
    for px, py, turn, size in [(cx + 4, 0.80 * h, 24, 760), (cx - 10, 0.90 * h, 158, 800)]:
        leaf = leaf_image(size)
        paste_turned(image, leaf, (px, py), turn)
    for ring, (count, reach, base, tip) in enumerate(
        [(25, 860, "#b9560a", "#ee9410"), (25, 815, "#d0700a", "#fdb21a"), (25, 735, "#e58a0c", "#ffd23c")]
    ):
        for i in range(count):
            turn = 360 * (i + 0.33 * ring) / count + rng.uniform(-3.5, 3.5)
            petal = petal_image(int(reach * rng.uniform(0.93, 1.04)), base, tip)
            paste_turned(image, petal, (cx, cy), turn)
    radius = 0.205 * w
    soft = Image.new("L", image.size, 0)
    ImageDraw.Draw(soft).ellipse(
        [cx - radius * 1.12, cy - radius * 1.12, cx + radius * 1.12, cy + radius * 1.12], fill=170
    )
    image.paste(Image.new("RGBA", image.size, "#5b2a08"), mask=soft.filter(ImageFilter.GaussianBlur(34)))
    draw = ImageDraw.Draw(image)
    draw.ellipse([cx - radius, cy - radius, cx + radius, cy + radius], fill="#34190b")
    seeds = 1000
    golden = np.pi * (3 - np.sqrt(5))
    for k in range(seeds, 0, -1):
        t = np.sqrt(k / seeds)
        px, py = cx + radius * t * np.cos(k * golden), cy + radius * t * np.sin(k * golden)
        size = radius * (0.0175 + 0.013 * t)
        colour = ramp(
            t, (0, "#a8b04a"), (0.22, "#86702a"), (0.45, "#5b3313"), (0.75, "#8a4a13"), (0.9, "#d98a1c"), (1, "#f6b52c")
        )
        draw.ellipse([px - size, py - size, px + size, py + size], fill=rgb8(colour * 0.62))
        s = size * 0.72
        draw.ellipse([px - s - 2, py - s - 3, px + s - 2, py + s - 3], fill=rgb8(colour))
        s = size * 0.30
        draw.ellipse([px - s - 5, py - s - 6, px + s - 5, py + s - 6], fill=rgb8(mix(colour, 1, 0.45)))
    return image.convert("RGB").reduce(scale)


def petal_image(length, base, tip):
    """One petal that starts at the left and points to the right."""
    height = int(length * 0.30)
    x, y = grid(length, height)
    t, v = x / length, (y / height - 0.5) * 2
    half = (
        np.clip(smoothstep(0, 0.55, t) * 0.75 + 0.25, 0, 1)
        * np.sqrt(np.clip((1 - t) * 2.2, 0, 1))
        * (1 - 0.35 * smoothstep(0.55, 1, t))
    )
    side = v / np.maximum(half, 0.04)
    colour = mix(rgb(base), rgb(tip), smoothstep(0.30, 0.80, t + 0 * v)[..., None])
    veins = 0.5 + 0.5 * np.cos(side * 9)
    colour = mix(colour, rgb(base), (0.22 * (1 - veins) + 0.75 * smoothstep(0.45, 1.0, np.abs(side)))[..., None])
    colour = mix(colour, 1.0, (0.16 * np.exp(-(((side + 0.35) / 0.25) ** 2)) * smoothstep(0.4, 0.7, t))[..., None])
    alpha = np.clip((half - np.abs(v)) * height / 2 + 0.5, 0, 1)
    return to_image(np.concatenate([colour, alpha[..., None]], axis=-1))


def leaf_image(length):
    """One leaf that starts at the left and points to the right."""
    height = int(length * 0.52)
    x, y = grid(length, height)
    t, v = x / length, (y / height - 0.5) * 2
    half = 1.25 * np.clip(t, 1e-6, 1) ** 0.55 * np.clip(1 - t, 0, 1) ** 0.85
    colour = mix(rgb("#2f7a3a"), rgb("#4f9c45"), smoothstep(-0.1, 0.1, -v + 0 * t)[..., None])
    ribs = np.abs(((t * 1.0 - np.abs(v) * 0.22) * 9) % 1 - 0.5)
    colour = mix(colour, rgb("#86c065"), (0.55 * smoothstep(0.06, 0.0, ribs))[..., None])
    colour = mix(colour, rgb("#a5d67c"), (0.85 * smoothstep(0.045, 0.015, np.abs(v) + 0 * t))[..., None])
    alpha = np.clip((half - np.abs(v)) * height / 2 + 0.5, 0, 1)
    return to_image(np.concatenate([colour, alpha[..., None]], axis=-1))


def paste_turned(image, part, foot, degrees):
    """Pastes a part turned about the middle of its left edge, which comes to lie on `foot`."""
    size = 2 * part.width
    square = Image.new("RGBA", (size, size))
    square.paste(part, (size // 2, (size - part.height) // 2))
    turned = square.rotate(degrees, resample=Image.Resampling.BICUBIC)
    left, top = int(foot[0] - size / 2), int(foot[1] - size / 2)
    image.alpha_composite(turned, (max(left, 0), max(top, 0)), (max(-left, 0), max(-top, 0)))


def paper_city():
    """A city of paper, seen from high up in parallel perspective."""
    width, height = 760, 600
    pen = Pen(width, height, rgb8(rgb("#f5e6d3")), scale=4)
    rng = np.random.default_rng(14)
    half_w, half_h, unit = 26.0, 15.01, 30.0
    cells = 13
    ox, oy = width / 2, 134

    def at(i, j, z=0.0):
        return (ox + (i - j) * half_w, oy + (i + j) * half_h - z * unit)

    def box(i0, j0, i1, j1, z0, z1, colour):
        top, left, right = colour, mix(colour, rgb("#3d2c5e"), 0.22), mix(colour, rgb("#2b2455"), 0.48)
        pen.polygon([at(i0, j1, z0), at(i1, j1, z0), at(i1, j1, z1), at(i0, j1, z1)], rgb8(left))
        pen.polygon([at(i1, j0, z0), at(i1, j1, z0), at(i1, j1, z1), at(i1, j0, z1)], rgb8(right))
        pen.polygon([at(i0, j0, z1), at(i1, j0, z1), at(i1, j1, z1), at(i0, j1, z1)], rgb8(top))
        return left, right

    def windows(i0, j0, i1, j1, z, colour):
        floors = int(z / 0.42)
        for face, base in (("left", 0.22), ("right", 0.48)):
            shade = mix(colour, rgb("#2b2455"), base + 0.22)
            for f in range(floors):
                low = 0.16 + f * 0.42
                for c in range(3):
                    a = 0.14 + c * 0.27
                    lit = rng.random() < 0.16
                    fill = rgb8(rgb("#ffe9a8") if lit else shade)
                    if face == "left":
                        i, k = i0 + a * (i1 - i0), i0 + (a + 0.17) * (i1 - i0)
                        pen.polygon(
                            [at(i, j1, low), at(k, j1, low), at(k, j1, low + 0.24), at(i, j1, low + 0.24)], fill
                        )
                    else:
                        j, k = j0 + a * (j1 - j0), j0 + (a + 0.17) * (j1 - j0)
                        pen.polygon(
                            [at(i1, j, low), at(i1, k, low), at(i1, k, low + 0.24), at(i1, j, low + 0.24)], fill
                        )

    def tree(i, j):
        x, y = at(i, j)
        pen.polygon(
            [at(i - 0.2, j + 0.06), at(i + 0.24, j + 0.06), at(i + 0.4, j - 0.2), at(i, j - 0.2)], rgb8(rgb("#7fa873"))
        )
        pen.line([(x, y), (x, y - 9)], 2.4, rgb8(rgb("#7a5548")))
        green = [rgb("#4f9d76"), rgb("#6bb37c"), rgb("#3f8a70"), rgb("#e79a6b")][rng.integers(4)]
        pen.ellipse(x, y - 16, 7.6, 9.6, rgb8(mix(green, rgb("#2b2455"), 0.22)))
        pen.ellipse(x - 1.6, y - 17.6, 5.6, 7.2, rgb8(green))

    def house(i, j, colour):
        box(i + 0.14, j + 0.14, i + 0.86, j + 0.86, 0, 0.55, colour)
        windows(i + 0.14, j + 0.14, i + 0.86, j + 0.86, 0.55, colour)
        roof = [rgb("#d9594c"), rgb("#c9704a"), rgb("#8d5a78")][rng.integers(3)]
        a, b, c, d = 0.08, 0.92, 0.5, 0.55
        pen.polygon(
            [at(i + b, j + a, d), at(i + b, j + b, d), at(i + b, j + c, 1.05)], rgb8(mix(colour, rgb("#2b2455"), 0.42))
        )
        pen.polygon(
            [at(i + a, j + b, d), at(i + b, j + b, d), at(i + b, j + c, 1.05), at(i + a, j + c, 1.05)], rgb8(roof)
        )

    plinth = 1.0
    low = rgb("#c98d7b")
    box(-0.5, -0.5, cells + 0.5, cells + 0.5, -plinth, -0.02, low)
    pen.polygon(
        [at(-0.5, -0.5), at(cells + 0.5, -0.5), at(cells + 0.5, cells + 0.5), at(-0.5, cells + 0.5)],
        rgb8(rgb("#d8c9c4")),
    )
    road = lambda k: k % 4 == 0
    paints = [
        "#f7c9a9",
        "#f2a489",
        "#f4dcc0",
        "#8ec6c0",
        "#6fa8b8",
        "#f3b94d",
        "#e9e2dc",
        "#d98a9b",
        "#a7b9e0",
        "#ef7f6a",
    ]
    for i in range(cells):
        for j in range(cells):
            if not road(i) and not road(j):
                pen.polygon([at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)], rgb8(rgb("#efe3da")))
    for k in range(0, cells, 4):
        for s in range(cells * 2):
            a, b = s / 2 + 0.12, s / 2 + 0.36
            if not road(int(s / 2)):
                pen.line([at(a, k + 0.5), at(b, k + 0.5)], 1.5, rgb8(rgb("#f8f1ec")))
                pen.line([at(k + 0.5, a), at(k + 0.5, b)], 1.5, rgb8(rgb("#f8f1ec")))
    cars = {(10, 4): 0, (2, 8): 0, (10, 12): 0, (3, 12): 0, (4, 6): 1, (8, 10): 1, (12, 3): 1, (12, 9): 1}
    park = {(i, j) for i in range(9, 12) for j in range(9, 12)} | {(i, j) for i in range(9, 12) for j in range(1, 4)}
    for total in range(2 * cells - 1):
        for i in range(max(0, total - cells + 1), min(cells, total + 1)):
            j = total - i
            if (i, j) in cars:
                paint = rgb(paints[rng.integers(len(paints))]) * 0.92
                if cars[(i, j)] == 0:
                    box(i + 0.2, j + 0.55, i + 0.75, j + 0.8, 0.02, 0.2, paint)
                    box(i + 0.32, j + 0.58, i + 0.62, j + 0.77, 0.2, 0.32, rgb("#f8f1ec"))
                else:
                    box(i + 0.2, j + 0.2, i + 0.45, j + 0.75, 0.02, 0.2, paint)
                    box(i + 0.23, j + 0.32, i + 0.42, j + 0.62, 0.2, 0.32, rgb("#f8f1ec"))
            if road(i) or road(j):
                continue
            if (i, j) in park:
                pen.polygon([at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)], rgb8(rgb("#a9cc96")))
                if (i, j) in ((10, 10), (10, 2)):
                    pen.ellipse(*at(i + 0.5, j + 0.5), 25, 14, rgb8(rgb("#f4efe6")))
                    pen.ellipse(*at(i + 0.5, j + 0.5), 21, 11.5, rgb8(rgb("#6fb7cf")))
                else:
                    for a, b in ((0.3, 0.3), (0.7, 0.3), (0.3, 0.75), (0.72, 0.72)):
                        tree(i + a + rng.uniform(-0.08, 0.08), j + b + rng.uniform(-0.08, 0.08))
                continue
            centre = np.hypot(i - 4.8, j - 4.8)
            paint = rgb(paints[rng.integers(len(paints))])
            if centre > 5.9 and rng.random() < 0.75:
                house(i, j, mix(paint, rgb("#fff6ea"), 0.35))
                if rng.random() < 0.5:
                    tree(i + 0.95, j + 0.95)
                continue
            tall = 0.8 + 6.4 * np.exp(-((centre / 3.4) ** 2)) * rng.uniform(0.45, 1.12) + rng.uniform(0, 0.9)
            tall = round(tall / 0.42) * 0.42 + 0.12
            box(i + 0.06, j + 0.06, i + 0.94, j + 0.94, 0, tall, paint)
            windows(i + 0.06, j + 0.06, i + 0.94, j + 0.94, tall, paint)
            style = rng.integers(4)
            if style == 0 and tall > 2:
                box(i + 0.24, j + 0.24, i + 0.76, j + 0.76, tall, tall + 0.5, mix(paint, rgb("#ffffff"), 0.25))
                tip = at(i + 0.5, j + 0.5, tall + 0.5)
                pen.line([tip, (tip[0], tip[1] - 26)], 1.8, rgb8(rgb("#5a4a72")))
            elif style == 1:
                inset = [at(i + a, j + b, tall) for a, b in ((0.16, 0.16), (0.84, 0.16), (0.84, 0.84), (0.16, 0.84))]
                pen.polygon(inset, rgb8(rgb("#a9cc96")))
                pen.ellipse(*at(i + 0.4, j + 0.5, tall + 0.12), 6, 6, rgb8(rgb("#5fa777")))
            elif style == 2:
                box(i + 0.2, j + 0.2, i + 0.5, j + 0.5, tall, tall + 0.28, rgb("#f2ebe4"))
            else:
                inset = [at(i + a, j + b, tall) for a, b in ((0.14, 0.14), (0.86, 0.14), (0.86, 0.86), (0.14, 0.86))]
                pen.polygon(inset, rgb8(mix(paint, rgb("#3d2c5e"), 0.12)))
    return few_colours(pen.finish(), 96)


def colour_wheel():
    """Sixteen translucent discs in the order of the rainbow: see-through outside, and within."""
    size, count = 480, 16
    x, y = grid(size, size)
    middle, ring, radius = size / 2, size * 0.270, size * 0.222
    clear, weight, colour = np.ones((size, size)), np.zeros((size, size)), np.zeros((size, size, 3))
    wheel = [
        "#f6423c",
        "#fb8b24",
        "#fdd835",
        "#7cc947",
        "#19a974",
        "#14a3c7",
        "#3163d4",
        "#6a3fc9",
        "#b83fb0",
        "#ee3d7f",
    ]
    stops = [(k / len(wheel), code) for k, code in enumerate(wheel + wheel[:1])]
    for k in range(count):
        turn = TAU * k / count
        away = np.hypot(x - middle - ring * np.sin(turn), y - middle + ring * np.cos(turn))
        cover = 0.42 * np.clip(radius - away + 0.5, 0, 1)
        # A thin brighter rim draws the rosette.
        cover = cover + 0.28 * np.clip(1.4 - np.abs(radius - 1.4 - away), 0, 1)
        clear *= 1 - cover
        weight += cover
        colour += cover[..., None] * ramp(k / count, *stops)
    colour /= np.maximum(weight, 1e-9)[..., None]
    # Six bits for each channel are enough here, and pack better.
    wheel = np.round(np.concatenate([colour, (1 - clear)[..., None]], axis=-1) * 63) / 63
    wheel[clear > 0.995] = 0
    return to_image(wheel)


def bulging_grid():
    """Op art: a flat chessboard of discs that seems to swell into a ball."""
    size, scale = 640, 5
    n = size * scale
    x, y = grid(n, n)
    u, v = (x / n - 0.5) * 2, (y / n - 0.5) * 2
    ball = 0.80
    r = np.hypot(u, v)
    swell = np.where(r < ball, np.arcsin(np.clip(r / ball, 0, 1)) / (np.pi / 2), 1)
    flat = np.where(r < ball, ball * swell**1.12 / np.maximum(r, 1e-9), 1.0)
    cells = 20
    gu, gv = (u * flat + 1) / 2 * cells, (v * flat + 1) / 2 * cells
    i, j = np.floor(gu), np.floor(gv)
    a, b = gu - i - 0.5, gv - j - 0.5
    ci, cj = (i + 0.5) / cells * 2 - 1, (j + 0.5) / cells * 2 - 1
    far = np.round(np.clip(np.hypot(ci, cj), 0, 1.2) * 12) / 12
    inside = np.hypot(a, b) < 0.385
    odd = (i + j) % 2 == 0
    slant = np.round(np.clip((ci + cj + 2) / 4, 0, 1) * 12) / 12
    warm = ramp(far, (0, "#ffe45c"), (0.35, "#ff9d2e"), (0.7, "#f0433a"), (1.2, "#8f1d5c"))
    cool = ramp(slant, (0, "#19b5c9"), (0.5, "#2456b8"), (1, "#2a1a66"))
    dark = ramp(far, (0, "#1d2a7a"), (0.6, "#191552"), (1.2, "#120b33"))
    board = np.where(odd[..., None], cool, dark)
    disc = np.where(odd[..., None], warm, mix(cool, rgb("#7fe3dc"), 0.35))
    canvas = np.where(inside[..., None], disc, board)
    image = to_image(canvas).reduce(scale)
    return image.quantize(48, method=Image.Quantize.MEDIANCUT, kmeans=3, dither=Image.Dither.NONE)


def stained_glass():
    """A pointed church window: the sun above the hills, in pieces of glass that are Voronoi cells."""
    width, height, scale = 600, 900, 0.72
    rng = np.random.default_rng(11)
    x, y = (axis / scale for axis in grid(int(width * scale), int(height * scale)))
    sun_x, sun_y = 300.0, 318.0
    sites = [(sun_x, sun_y)]
    for k, (radius, count) in enumerate(
        [(50, 8), (98, 12), (150, 16), (208, 20), (272, 26), (344, 32), (424, 38), (510, 44)]
    ):
        for m in range(count):
            turn = TAU * (m + 0.5 * (k % 2)) / count
            sites.append((sun_x + radius * np.sin(turn), sun_y - radius * np.cos(turn)))
    ridge = lambda px, k: 560 + 82 * k + 34 * np.sin(px / 118 + 1.7 * k) + 13 * np.sin(px / 47 + k)
    sites = [s for s in sites if s[1] < ridge(s[0], 0) - 26]
    for k in range(4):
        for m in range(-1, 10):
            px = 66 * m + (33 if k % 2 else 0) + rng.uniform(-7, 7)
            for site in ((px, ridge(px, k) + 24), (px + 33, ridge(px + 33, k) + 66)):
                # A site too close to another would make a splinter.
                if min(np.hypot(site[0] - a, site[1] - b) for a, b in sites) > 42:
                    sites.append(site)
    sites = np.array(sites)
    shape = (y.size, x.size)
    nearest, second = np.full(shape, 1e9), np.full(shape, 1e9)
    first_id, second_id = np.zeros(shape, int), np.zeros(shape, int)
    for k, (sx, sy) in enumerate(sites):
        d = (x - sx) ** 2 + (y - sy) ** 2
        closer, middle = d < nearest, (d >= nearest) & (d < second)
        second = np.where(closer, nearest, np.where(middle, d, second))
        second_id = np.where(closer, first_id, np.where(middle, k, second_id))
        nearest, first_id = np.where(closer, d, nearest), np.where(closer, k, first_id)
    apart = np.hypot(*(sites[first_id] - sites[second_id]).transpose(2, 0, 1))
    edge = (second - nearest) / (2 * np.maximum(apart, 1e-6))
    colours = []
    for k, (sx, sy) in enumerate(sites):
        away = np.hypot(sx - sun_x, sy - sun_y)
        hill = [i for i in range(4) if sy > ridge(sx, i) - 8]
        if hill:
            code = [("#3f9d6b", "#7fc46a"), ("#1f8a80", "#3fae8c"), ("#20679a", "#2f8fb0"), ("#3a3f94", "#5a55b5")][
                hill[-1]
            ]
            colour = mix(rgb(code[0]), rgb(code[1]), rng.random())
        else:
            colour = ramp(
                away,
                (0, "#fff3b0"),
                (55, "#ffdc4f"),
                (105, "#ffb02e"),
                (155, "#f5722c"),
                (212, "#e0395a"),
                (275, "#a8358e"),
                (345, "#5b3fb0"),
                (430, "#2d54b8"),
                (520, "#1c3c8c"),
            )
            colour = mix(colour, 1.0, 0.13 * rng.random()) * (0.86 + 0.14 * rng.random())
        colours.append(colour)
    canvas = np.array(colours)[first_id]
    # Light pools in the middle of each piece; the steps keep the file small.
    glow = np.round(np.clip((edge - 3) / 18, 0, 1) * 2) / 2
    canvas = canvas * (0.82 + 0.22 * glow)[..., None]
    canvas = mix(canvas, 1.0, (0.10 * glow)[..., None])
    over(canvas, rgb("#17121f"), np.clip((3.1 - edge) * scale + 0.5, 0, 1))
    # The arch: two circles meet in a point.
    inset, spring = 36, 430
    span = width - 2 * inset
    reach = span * 0.8
    left = np.hypot(x - (inset + reach), np.minimum(y - spring, 0))
    right = np.hypot(x - (width - inset - reach), np.minimum(y - spring, 0))
    border = np.minimum(reach - np.maximum(left, right), height - inset - y)
    for below, code in [
        (6, "#17121f"),
        (0, "#8b8196"),
        (-4, "#4b4355"),
        (-17, "#7b7187"),
        (-20, "#3c3547"),
        (-26, "#332d3f"),
    ]:
        over(canvas, rgb(code), np.clip((below - border) * scale + 0.5, 0, 1))
    return few_colours(to_image(canvas), 160)


def rising_sun_sea():
    """Rows of scalloped waves under a red sun, after Japanese wood-block prints."""
    width, height = 960, 640
    ink, paper = rgb("#1d3461"), rgb("#f6e7cb")
    pen = Pen(width, height, rgb8(paper), scale=4)
    # The sky deepens upward in printed bands.
    for k in range(8):
        pen.draw.rectangle(
            [0, 0, width * 4, (8 - k) * 17 * 4], fill=rgb8(mix(paper, rgb("#7fb3bd"), (k + 1) / 8 * 0.85))
        )
    pen.disc(632, 268, 132, rgb8(rgb("#d8412f")))

    def cloud(cx, cy, lengths, fill):
        for k, (dx, length) in enumerate(lengths):
            y = cy + k * 15
            pen.line([(cx + dx - length / 2, y), (cx + dx + length / 2, y)], 15.6, fill)

    white = rgb8(rgb("#fff8e8"))
    cloud(560, 236, [(20, 90), (-14, 210), (40, 300), (-60, 130)], white)
    cloud(212, 118, [(30, 120), (-10, 250), (60, 170)], white)
    cloud(812, 92, [(0, 100), (36, 190), (-40, 120)], white)
    # A far mountain with snow.
    peak = [(20, 420), (110, 372), (190, 300), (232, 258), (262, 252), (300, 292), (372, 360), (470, 405), (560, 424)]
    pen.polygon([*curve(peak, closed=False), (560, 470), (20, 470)], rgb8(rgb("#5f86a3")))
    snow = [
        *[(px, py) for px, py in curve(peak, closed=False) if py < 297],
        (284, 306),
        (270, 296),
        (256, 322),
        (240, 300),
        (222, 316),
        (208, 298),
    ]
    pen.polygon(snow, white)
    for bx, by in [(118, 210), (150, 196), (172, 222), (430, 140), (456, 152)]:
        wing = curve([(bx - 12, by - 5), (bx - 5, by - 7), (bx, by), (bx + 5, by - 7), (bx + 12, by - 5)], closed=False)
        pen.line(wing, 2.2, rgb8(ink))
    tones = ["#2a5a8c", "#3c7ba6", "#234a7d", "#5c9bb8", "#1f3f70"]
    rng = np.random.default_rng(4)
    rows = 12
    for row in range(rows):
        depth = row / (rows - 1)
        radius = 30 + 52 * depth
        y = 430 + 262 * depth**1.25
        if row == 4:
            sail_boat(pen, 786, y - 44)
        reach = int(width / (4 * radius)) + 2
        for k in range(-reach, reach + 1):
            cx = width / 2 + (k + 0.5 * (row % 2)) * 2 * radius
            cy = y + 13 * (0.4 + depth) * np.sin(cx / 150 + row * 0.9)
            scallop(pen, cx, cy, radius * 1.06, rgb(tones[rng.integers(len(tones))]), white, ink)
    image = pen.finish(by=5)
    return image.quantize(32, method=Image.Quantize.MEDIANCUT, kmeans=3, dither=Image.Dither.NONE)


def scallop(pen, cx, cy, radius, tone, white, ink):
    """One scale of the wave pattern: rings of ink, paper and blue about the same centre."""
    for part, fill in [
        (1.0, rgb8(ink)),
        (0.955, white),
        (0.86, rgb8(tone)),
        (0.66, white),
        (0.61, rgb8(tone)),
        (0.43, white),
        (0.38, rgb8(mix(tone, rgb("#bfe0e2"), 0.5))),
        (0.2, white),
    ]:
        pen.disc(cx, cy, radius * part, fill)


def sail_boat(pen, x, y):
    pen.polygon(
        [(x - 58, y - 14), (x - 40, y - 8), (x + 46, y - 9), (x + 66, y - 17), (x + 40, y + 26), (x - 36, y + 26)],
        rgb8(rgb("#6b3a2a")),
    )
    pen.line([(x + 2, y), (x + 2, y - 122)], 4, rgb8(rgb("#43261d")))
    pen.polygon(
        curve([(x + 4, y - 118), (x + 44, y - 66), (x + 50, y - 16), (x + 6, y - 14)], steps=8), rgb8(rgb("#fff8e8"))
    )
    pen.polygon(
        curve([(x - 2, y - 112), (x - 26, y - 60), (x - 38, y - 16), (x - 2, y - 14)], steps=8), rgb8(rgb("#f1d9ae"))
    )


def ringed_planet():
    """A planet with rings, and a moon that goes round it once in the film. The list of its frames."""
    width, height, scale, frames = 480, 320, 3, 24
    w, h = width * scale, height * scale
    rng = np.random.default_rng(9)
    x, y = grid(w, h)
    canvas = ramp(np.hypot(x - 0.25 * w, y - 0.2 * h) / w, (0, "#1b2152"), (0.5, "#0f1234"), (1.1, "#070818"))
    haze = noise2(rng, x / w * 4, np.broadcast_to(y / w * 4, (h, w)), 3)
    over(canvas, rgb("#5a2f78"), 0.34 * smoothstep(0.1, 1.2, haze))
    for _ in range(170):
        sx, sy, light = rng.uniform(0, w), rng.uniform(0, h), rng.uniform(0, 1) ** 2.5
        size = 1.3 + 1.9 * light
        spot = np.exp(-((x - sx) ** 2 + (y - sy) ** 2) / (2 * size**2))
        over(canvas, rgb("#f4f1ff"), spot * (0.3 + 0.7 * light))
    cx, cy, radius = 0.5 * w, 0.505 * h, 0.262 * h
    tilt, lean = 0.30, np.radians(-17)
    px, py = x - cx, y - cy
    a, b = px * np.cos(lean) + py * np.sin(lean), -px * np.sin(lean) + py * np.cos(lean)
    ring_r = np.hypot(a, b / tilt) / radius
    grooves = noise1(rng, np.linspace(0, 60, 4096), 3)[np.clip((ring_r - 1) / 1.6 * 4095, 0, 4095).astype(int)]
    ring_cover = smoothstep(1.34, 1.38, ring_r) * smoothstep(2.28, 2.24, ring_r)
    ring_cover *= 1 - 0.92 * smoothstep(0.045, 0.03, np.abs(ring_r - 1.93))
    ring_cover *= np.clip(0.72 + 0.30 * grooves, 0.15, 1)
    ring_cover *= mix(0.45, 1, smoothstep(1.4, 1.62, ring_r))
    ring_colour = ramp(
        ring_r, (1.35, "#8d6f6a"), (1.6, "#e9cfa6"), (1.9, "#f8e6c2"), (2.0, "#c9a98d"), (2.28, "#a98f95")
    )
    # Space has its axes along the ring, down, and towards us; lengths count in radii of the planet.
    lx, ly, lz = -0.70, -0.42, 0.58
    light_a, light_b = lx * np.cos(lean) + ly * np.sin(lean), -lx * np.sin(lean) + ly * np.cos(lean)
    flat = np.sqrt(1 - tilt**2)
    na, nb = a / radius, b / radius
    # The planet's shadow on the ring: a cylinder away from the light.
    towards = na * light_a + nb * light_b + nb / tilt * flat * lz
    beside = np.sqrt(np.maximum(ring_r**2 - towards**2, 0))
    shadow = smoothstep(1.02, 0.96, beside) * (towards < 0)
    ring_colour = ring_colour * (1 - 0.86 * shadow)[..., None]
    r = np.hypot(px, py) / radius
    nz = np.sqrt(np.clip(1 - r**2, 0, 1))
    latitude = nb * np.cos(np.arcsin(tilt)) + nz * -tilt
    swirl = noise2(rng, (na + 1.6) * 2.4, (nb + 1.6) * 7, 4) * 0.05
    bands = noise1(rng, np.linspace(0, 9, 2048), 4, 0.6)
    stripe = bands[np.clip((latitude + swirl + 1.15) / 2.3 * 2047, 0, 2047).astype(int)]
    surface = ramp(stripe, (-1.1, "#b0563f"), (-0.4, "#dc8a55"), (0.1, "#f2bd7c"), (0.55, "#fbe2b4"), (1.1, "#d99a6a"))
    light = np.clip(px / radius * lx + py / radius * ly + nz * lz, 0, 1)
    # The ring's shadow on the planet: follow the light from the surface to the plane of the ring.
    reach = -(nb * flat - nz * tilt) / (light_b * flat - lz * tilt)
    hit = np.sqrt((na + reach * light_a) ** 2 + (nb + reach * light_b) ** 2 + (nz + reach * lz) ** 2)
    ring_shade = smoothstep(1.34, 1.40, hit) * smoothstep(2.28, 2.22, hit) * (reach > 0)
    ring_shade *= 1 - 0.8 * smoothstep(0.06, 0.03, np.abs(hit - 1.93))
    surface = surface * (1.10 * light**0.8)[..., None] * (1 - 0.62 * ring_shade)[..., None] + rgb("#0d0f26")
    rim = smoothstep(0.72, 1.0, r) * light
    surface = mix(surface, rgb("#ffe9cf"), (0.35 * rim)[..., None])
    ball = np.clip((1 - r) * radius + 0.5, 0, 1)
    back, front = ring_cover * (b < 0), ring_cover * (b >= 0)
    pictures = []
    for k in range(frames):
        turn = TAU * (k / frames + 0.545)
        ma, mb = 2.60 * radius * np.cos(turn), 2.60 * radius * tilt * np.sin(turn)
        mx, my = cx + ma * np.cos(lean) - mb * np.sin(lean), cy + ma * np.sin(lean) + mb * np.cos(lean)
        size = radius * (0.125 + 0.022 * np.sin(turn))
        frame = canvas.copy()
        draw_moon = lambda: over(frame, *moon(x, y, mx, my, size, (lx, ly, lz)))
        if np.sin(turn) < 0:
            draw_moon()
        over(frame, ring_colour, back)
        over(frame, surface, ball)
        over(frame, ring_colour, front)
        if np.sin(turn) >= 0:
            draw_moon()
        pictures.append(to_image(frame).reduce(scale))
    return share_palette(pictures)


def moon(x, y, mx, my, size, light):
    """The colour and coverage of a small lit ball."""
    u, v = (x - mx) / size, (y - my) / size
    r = np.hypot(u, v)
    z = np.sqrt(np.clip(1 - r**2, 0, 1))
    lit = np.clip(u * light[0] + v * light[1] + z * light[2], 0, 1)
    return mix(rgb("#1c2340"), rgb("#cfe3f2"), lit[..., None]), np.clip((1 - r) * size + 0.5, 0, 1)


def share_palette(pictures):
    """All frames with one palette and one fixed dither pattern, so that what stands still is equal in each."""
    master = pictures[0].quantize(192, method=Image.Quantize.MEDIANCUT, kmeans=3, dither=Image.Dither.NONE)
    bayer = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]) / 16 - 0.47
    width, height = pictures[0].size
    pattern = np.tile(bayer, (height // 4 + 1, width // 4 + 1))[:height, :width, None] * 2
    result = []
    for picture in pictures:
        dithered = Image.fromarray(np.clip(np.asarray(picture, float) + pattern, 0, 255).astype(np.uint8))
        result.append(dithered.quantize(palette=master, dither=Image.Dither.NONE))
    return result


def julia_set():
    """The Julia set of z*z + c for c = -0.8 + 0.156i, coloured by how slowly each point escapes."""
    width, height, scale = 1120, 640, 2
    w, h = width * scale, height * scale
    x, y = grid(w, h)
    turn = np.exp(1j * 0.16)
    z = ((x - w / 2) + 1j * (y - h / 2)) / w * 3.22 * turn
    c = -0.8 + 0.156j
    value = np.full(z.shape, np.nan).ravel()
    z, index = z.ravel(), np.arange(z.size)
    for step in range(420):
        z = z * z + c
        gone = np.abs(z) > 60
        value[index[gone]] = step + 1 - np.log2(np.log(np.abs(z[gone])) / np.log(60))
        z, index = z[~gone], index[~gone]
    value = value.reshape(h, w)
    depth = np.log(np.maximum(np.nan_to_num(value, nan=420), 1))
    t = np.clip((depth - 1.2) / 4.3, 0, 1)
    canvas = ramp(
        t,
        (0, "#050b2c"),
        (0.16, "#0b2a66"),
        (0.30, "#0f6f9c"),
        (0.42, "#3fc1b0"),
        (0.52, "#f4f0c8"),
        (0.62, "#ffb545"),
        (0.74, "#e2453c"),
        (0.87, "#6d1450"),
        (1, "#1a0526"),
    )
    return to_image(canvas).reduce(scale)


def magpie_on_a_branch():
    """The bird that the project is named after, before the sun, on a branch in blossom."""
    pen = Pen(720, 900, (0, 0, 0, 0), scale=4)
    rng = np.random.default_rng(2)
    cx, cy = 352, 430
    halo = Pen(720, 900, (0, 0, 0, 0), scale=4)
    for k in range(24):
        halo.disc(cx, cy, 350 - 1.6 * k, (255, 206, 158, int(225 * ((k + 1) / 24) ** 1.8)))
    for radius, code, dy in [(312, "#fbc9a0", 0), (262, "#fcd5a9", 18), (208, "#fde1b6", 36), (150, "#feedc8", 54)]:
        pen.disc(cx, cy + dy, radius, (*rgb8(rgb(code)), 255))
    bark, bark_light = rgb8(rgb("#4d3436")), rgb8(rgb("#7a5650"))
    branch = curve(
        [(-12, 706), (90, 676), (210, 662), (340, 648), (470, 650), (590, 622), (730, 560)], closed=False, steps=30
    )
    pen.line(branch, np.linspace(30, 11, len(branch)), bark)
    pen.line(branch + [0, -4], np.linspace(9, 3, len(branch)), bark_light)
    twigs = [
        ([(150, 668), (118, 610), (70, 572), (48, 520)], 9),
        ([(92, 590), (56, 596), (22, 574)], 6),
        ([(560, 632), (604, 574), (618, 520), (652, 470)], 9),
        ([(612, 550), (646, 540), (684, 508)], 6),
        ([(250, 660), (262, 712), (236, 768)], 8),
        ([(430, 650), (420, 700), (436, 742)], 6),
    ]
    for points, thick in twigs:
        line = curve(points, closed=False)
        pen.line(line, np.linspace(thick, 3, len(line)), bark)
    tail(pen)
    for foot in (318, 372):
        pen.line([(foot + 10, 575), (foot + 6, 612), (foot - 2, 642)], 9, rgb8(rgb("#1d1a22")))
        for toe in (-17, -3, 12):
            pen.line(
                curve([(foot - 2, 638), (foot + toe - 2, 641), (foot + toe - 5, 657)], closed=False),
                7,
                rgb8(rgb("#1d1a22")),
            )
    bird(pen)
    for px, py, size in [
        (48, 520, 19),
        (72, 566, 23),
        (22, 574, 18),
        (112, 612, 15),
        (652, 470, 20),
        (680, 508, 22),
        (618, 528, 24),
        (604, 580, 15),
        (236, 768, 22),
        (262, 722, 15),
        (436, 742, 19),
        (694, 576, 19),
        (150, 662, 20),
        (28, 690, 17),
    ]:
        blossom(pen, rng, px, py, size)
    for px, py in [(214, 820), (110, 742), (478, 806), (330, 852)]:
        pen.polygon(
            turned(curve([(0, -8), (6, 0), (0, 9), (-6, 0)]), px, py, rng.uniform(0, TAU)), (*rgb8(rgb("#f9b9c8")), 225)
        )
    image = halo.finish(by=5)
    image.alpha_composite(pen.finish(by=5))
    return image.crop((0, 32, image.width, image.height))


def turned(points, x, y, angle):
    p = np.array(points)
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([x + p[:, 0] * c - p[:, 1] * s, y + p[:, 0] * s + p[:, 1] * c], axis=-1)


def blossom(pen, rng, x, y, size):
    turn = rng.uniform(0, TAU)
    for k in range(5):
        petal = curve([(0, 0), (0.42, -0.5), (0.26, -1.02), (0, -0.9), (-0.26, -1.02), (-0.42, -0.5)]) * size
        pen.polygon(turned(petal, x, y, turn + TAU * k / 5), rgb8(rgb(["#f7a8bd", "#fbc6d2"][k % 2])))
    pen.disc(x, y, size * 0.30, rgb8(rgb("#e2577f")))
    for k in range(5):
        dot = turned([(0, -0.46 * size)], x, y, turn + TAU * (k + 0.5) / 5)[0]
        pen.disc(*dot, size * 0.085, rgb8(rgb("#ffe08a")))


def tail(pen):
    """Long stepped feathers that shine from green to violet."""
    root = np.array([468, 540])
    tips = [
        ((690, 838), 21, "#2b2f6b"),
        ((672, 862), 22, "#26508c"),
        ((648, 874), 22, "#1d6d8f"),
        ((616, 858), 21, "#1f8178"),
        ((584, 822), 20, "#17564f"),
    ]
    for (tx, ty), half, code in tips:
        tip = np.array([tx, ty])
        way = (tip - root) / np.hypot(*(tip - root))
        side = np.array([-way[1], way[0]])
        shape = [
            root + side * 17,
            mix(root, tip, 0.5) + side * half * 0.9,
            mix(root, tip, 0.93) + side * half * 0.78,
            tip,
            mix(root, tip, 0.95) - side * half * 0.72,
            mix(root, tip, 0.5) - side * half * 0.9,
            root - side * 17,
        ]
        pen.polygon(curve(shape), rgb8(rgb(code)))
        pen.line([mix(root, tip, 0.1), mix(root, tip, 0.95)], 1.6, rgb8(mix(rgb(code), 0, 0.45)))


def bird(pen):
    black, sheen, white = rgb8(rgb("#15141c")), rgb8(rgb("#2a2d47")), rgb8(rgb("#fdfcf7"))
    body = [
        (206, 288),
        (222, 252),
        (262, 228),
        (304, 240),
        (336, 286),
        (388, 352),
        (446, 440),
        (492, 520),
        (510, 566),
        (470, 582),
        (420, 590),
        (356, 592),
        (296, 560),
        (252, 500),
        (232, 430),
        (226, 368),
        (212, 322),
    ]
    pen.polygon(
        curve([(250, 272), (216, 276), (172, 288), (136, 313), (176, 318), (222, 324), (250, 320)], closed=False),
        rgb8(rgb("#2b2a34")),
    )
    pen.line(curve([(140, 312), (176, 305), (214, 306)], closed=False), 1.6, rgb8(rgb("#6a6976")))
    pen.polygon(curve(body), black)
    belly = [(256, 474), (290, 486), (340, 510), (400, 548), (432, 582), (392, 596), (344, 592), (296, 562), (262, 516)]
    pen.polygon(curve(belly), white)
    crown = [(236, 252), (264, 238), (298, 250), (322, 288), (300, 276), (264, 258)]
    pen.polygon(curve(crown), sheen)
    wing = [
        (288, 384),
        (330, 372),
        (386, 412),
        (440, 478),
        (486, 546),
        (520, 606),
        (470, 590),
        (410, 566),
        (346, 524),
        (300, 462),
    ]
    pen.polygon(curve(wing), black)
    for k, code in enumerate(["#1c2f6e", "#21469a", "#2a62b8", "#3c86c6"]):
        a, b = 0.18 * k, 0.18 * k
        feather = [
            (338 + 26 * a, 470 + 40 * a),
            (400 + 14 * b, 500 + 8 * k),
            (500 - 6 * k, 588 - 7 * k),
            (440 - 4 * k, 566 - 10 * k),
            (376, 524 - 6 * k),
        ]
        pen.polygon(curve(feather), rgb8(rgb(code)))
    shoulder = [(292, 372), (326, 362), (368, 388), (410, 440), (440, 486), (396, 466), (344, 440), (304, 414)]
    pen.polygon(curve(shoulder), white)
    pen.disc(240, 277, 8.2, rgb8(rgb("#3a3947")))
    pen.disc(240, 277, 6.2, rgb8(rgb("#0a090d")))
    pen.disc(237.6, 274.4, 2.2, white)


# ---------------------------------------------------------------- the files


def save_png(path, image, interlaced=False):
    """Writes an RGB, RGBA or palette image as PNG. By hand, for two things that Pillow does not do: interlacing
    (Adam7; PNG specification, 8.2), and leaving rows unfiltered, which packs flat colours best."""
    pixels = np.atleast_3d(np.asarray(image)).astype(np.int16)
    passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    parts = [pixels[y0::dy, x0::dx] for x0, y0, dx, dy in (passes if interlaced else [(0, 0, 1, 1)])]
    streams = [b"".join(filtered_rows(part, kinds) for part in parts if part.size) for kinds in ([0], range(5))]
    packed = min((zlib.compress(stream, 9) for stream in streams), key=len)
    colour_type = {"RGB": 2, "P": 3, "RGBA": 6}[image.mode]
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", image.width, image.height, 8, colour_type, 0, 0, int(interlaced)))]
    if image.mode == "P":
        chunks.append((b"PLTE", bytes(image.getpalette()[: 3 * (1 + max(image.getdata()))])))
    chunks += [(b"IDAT", packed), (b"IEND", b"")]
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, body in chunks:
            file.write(struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)))


def filtered_rows(part, kinds):
    """The rows of one pass, each with that filter of the kinds whose sum of differences is least (PNG, 12.7)."""
    depth, result = part.shape[2], bytearray()
    rows = part.reshape(part.shape[0], -1)
    start, above = np.zeros(depth, np.int16), np.zeros_like(rows[0])
    for row in rows:
        left, corner = np.concatenate([start, row[:-depth]]), np.concatenate([start, above[:-depth]])
        guess = left + above - corner
        to_left, to_above, to_corner = abs(guess - left), abs(guess - above), abs(guess - corner)
        paeth = np.where(
            (to_left <= to_above) & (to_left <= to_corner), left, np.where(to_above <= to_corner, above, corner)
        )
        choices = [row, row - left, row - above, row - (left + above) // 2, row - paeth]
        choices = [choice.astype(np.uint8) for choice in choices]
        best = min(kinds, key=lambda k: int(abs(choices[k].view(np.int8).astype(int)).sum()))
        result += bytes([best]) + choices[best].tobytes()
        above = row
    return bytes(result)


def save_jpeg(path, image, **options):
    image.save(path, "JPEG", optimize=True, **options)


def save_sideways(path, image):
    """Stores the image turned a quarter to the left, with the Exif note (orientation 6) that turns it back."""
    exif = Image.Exif()
    exif[0x0112] = 6
    save_jpeg(path, image.transpose(Image.Transpose.ROTATE_90), quality=74, exif=exif.tobytes())


def save_animation(path, frames):
    frames[0].save(
        path, "GIF", save_all=True, append_images=frames[1:], duration=90, loop=0, disposal=1, optimize=False
    )


PICTURES = {
    "magpie-on-a-branch.webp": (
        magpie_on_a_branch,
        lambda p, i: i.save(p, "WEBP", lossless=True, quality=100, method=6),
    ),
    "misty-ridges-at-dawn.jpg": (misty_ridges, lambda p, i: save_jpeg(p, i, quality=74)),
    "paper-city.png": (paper_city, save_png),
    "moonlit-hills.jpg": (moonlit_hills, lambda p, i: save_jpeg(p, i, quality=80, progressive=True)),
    "stained-glass.png": (stained_glass, lambda p, i: save_png(p, i, interlaced=True)),
    "nautilus.jpg": (nautilus, lambda p, i: save_jpeg(p, i, quality=77)),
    "sunflower.jpg": (sunflower, save_sideways),
    "julia-set.webp": (julia_set, lambda p, i: i.save(p, "WEBP", quality=52, method=6)),
    "colour-wheel.png": (colour_wheel, save_png),
    "rising-sun-sea.gif": (rising_sun_sea, lambda p, i: i.save(p, "GIF", optimize=True)),
    "bulging-grid.png": (bulging_grid, save_png),
    "ringed-planet.gif": (ringed_planet, save_animation),
}


def main():
    root = Path(__file__).resolve().parent.parent
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else root / "Sources" / "CDemoPictures" / "pictures"
    directory.mkdir(parents=True, exist_ok=True)
    total = 0
    wanted = sys.argv[2:] or PICTURES
    for name in wanted:
        draw, save = PICTURES[name]
        save(directory / name, draw())
        size = (directory / name).stat().st_size
        total += size
        print(f"{size:8,d}  {name}", flush=True)
    print(f"{total:8,d}  in all")


if __name__ == "__main__":
    main()
