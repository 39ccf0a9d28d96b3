/** Pictures for music, nights, games, jokes and festivals. */

import { circle, group, HEIGHT, halfDisk, type Motif, n, path, rect, repeat, ring, stroke, WIDTH } from './ink.ts';

/** A record, far too large for the sheet. */
export const vinyl: Motif = ({ ink, hues }, random) => {
  const x = random.pick([120, 480, 300]);
  const y = random.whole(300, 420);
  const outer = random.whole(290, 350);
  const glint = random.whole(0, 359);
  return [
    circle(x, y, outer, ink),
    repeat(9, (index) => stroke(ring(x, y, outer - 22 - index * 18), hues[2], index % 3 === 0 ? 2.4 : 0.8)),
    group(
      `transform="rotate(${glint} ${x} ${y})" opacity=".16"`,
      path(
        `M${x} ${y}l${-outer * 0.2} ${-outer * 0.97}h${outer * 0.4}ZM${x} ${y}l${-outer * 0.2} ${outer * 0.97}h${outer * 0.4}Z`,
        '#fff',
      ),
    ),
    circle(x, y, outer * 0.34, hues[0]),
    halfDisk(x, y, outer * 0.34, random.whole(0, 7) * 45, hues[1]),
    circle(x, y, 11, ink),
  ].join('');
};

/** Ridges of sound, each hiding what is behind it. */
export const ridges: Motif = ({ ground, ink, hues }, random) => {
  const center = random.whole(220, 380);
  const lit = random.whole(3, 12);
  return repeat(15, (row) => {
    const base = 215 + row * 32;
    const points = Array.from({ length: 25 }, (_, step) => {
      const x = step * 25;
      const swell = Math.exp(-(((x - center) / 120) ** 2));
      return `${x} ${Math.round(base - swell * random.next() * 150 - random.next() * 8)}`;
    });
    const color = row === lit ? hues[0] : ink;
    return `<path d="M${points.join('L')}" fill="${ground}" stroke="${color}" stroke-width="${row === lit ? 5 : 2.5}" stroke-linejoin="round"/>`;
  });
};

/** An equalizer, mirrored at the middle of the sheet. */
export const equalizer: Motif = ({ hues, ink }, random) => {
  const [a, b] = [1 + random.next() * 2, 3 + random.next() * 3];
  return repeat(13, (index) => {
    const t = index / 12;
    const height = 60 + 230 * Math.abs(Math.sin(a * Math.PI * t) * 0.7 + Math.sin(b * Math.PI * t) * 0.3);
    const color = index % 4 === 1 ? hues[1] : index % 5 === 3 ? ink : hues[0];
    return rect(36 + index * 41.5, 350 - height, 29, height * 2, color, 14.5);
  });
};

/** A low moon in slices over a dark skyline. */
export const moonrise: Motif = ({ ground, ink, hues }, random) => {
  const x = random.whole(200, 400);
  return [
    circle(x, 330, 210, hues[0]),
    repeat(8, (index) => rect(0, 330 + index * 27, WIDTH, 4 + index * 2.6, ground)),
    repeat(14, (index) => {
      const height = random.whole(40, 190);
      return rect(index * 44 - 8, 640 - height, random.whole(30, 46), height, index % 3 === 0 ? hues[2] : ink);
    }),
    repeat(26, () => rect(random.whole(4, 590), random.whole(520, 625), 5, 8, hues[1])),
    rect(0, 636, WIDTH, 200, ink),
  ].join('');
};

/** Two families of rings that quarrel. */
export const moire: Motif = ({ hues, ink }, random) => {
  const drift = random.whole(40, 110);
  const y = random.whole(300, 380);
  const family = (x: number, color: string) =>
    stroke(
      repeat(17, (index) => ring(x, y, 14 + index * 18)),
      color,
      6,
    );
  return family(300 - drift, hues[0]) + family(300 + drift, hues[1]) + circle(300, y, 26, ink);
};

/** A mirror ball and what it throws on the walls. */
export const mirrorBall: Motif = ({ ground, ink, hues }, random) => {
  const sparks = repeat(24, () =>
    group(
      `transform="translate(${random.whole(10, 590)} ${random.whole(20, 700)}) rotate(${random.whole(0, 90)})" opacity="${n(0.3 + random.next() * 0.7)}"`,
      rect(0, 0, random.whole(8, 26), random.whole(5, 12), random.pick(hues), 2),
    ),
  );
  // One path per color: a rectangle each would be three times the bytes.
  const shades = [hues[0], hues[1], hues[2], ground];
  const tiles = shades.map(() => '');
  for (let row = 0; row < 10; row += 1) {
    const y = -150 + row * 30;
    const half = Math.sqrt(165 ** 2 - (y + 14) ** 2);
    const count = Math.max(3, Math.round(half / 16));
    for (let column = 0; column < count; column += 1) {
      const width = (2 * half) / count;
      const d = `M${Math.round(300 - half + column * width)} ${340 + y}h${Math.round(width - 4)}v26h${-Math.round(width - 4)}z`;
      tiles[random.whole(0, shades.length - 1)] += d;
    }
  }
  const faces = tiles.map((d, index) => path(d, shades[index] ?? ink)).join('');
  return `${sparks}${rect(297, 0, 6, 180, ink)}${circle(300, 340, 172, ink)}${faces}`;
};

/** Running lanes around a bend, and something round. */
export const lanes: Motif = ({ ground, hues, ink }, random) => {
  const [x, y] = random.pick([
    [0, 700],
    [600, 700],
    [0, 60],
    [600, 60],
  ]) as [number, number];
  const colors = [hues[0], hues[0], hues[1], hues[0], hues[0]];
  return [
    ...colors.map((color, index) => stroke(ring(x, y, 190 + index * 74), color, 66)),
    stroke(ring(x, y, 190 + 37) + ring(x, y, 190 + 111) + ring(x, y, 190 + 185) + ring(x, y, 190 + 259), ground, 5),
    circle(300, 380, random.whole(58, 84), ink),
    stroke(`M${300 - 62} 350q62 60 124 0M${300 - 62} 410q62 -60 124 0`, ground, 5),
  ].join('');
};

/** A jersey with hoops over speed stripes. It has no number, which would read as a score or a date. */
export const jersey: Motif = ({ ground, hues, ink }, random) => {
  const hoops = random.whole(2, 5);
  const height = 190 / hoops;
  return [
    group(
      `transform="rotate(${random.pick([-24, -16, 16, 24])} 300 380)"`,
      repeat(5, (index) => rect(-200, 150 + index * 96, 1000, [70, 18, 44, 8, 58][index] ?? 20, index % 2 ? hues[1] : hues[0])),
    ),
    group(
      `transform="rotate(${random.whole(-8, 8)} 300 340)"`,
      path('M190 170L252 140Q300 200 348 140L410 170L506 274L444 336L400 296V540H200V296L156 336L94 274Z', ink) +
        repeat(hoops, (index) => rect(200, 316 + index * height, 200, height / 2, index % 2 ? hues[1] : hues[2])) +
        stroke('M252 140Q300 200 348 140', ground, 10),
    ),
  ].join('');
};

/** Rows of grins, and one that is not amused. */
export const grins: Motif = ({ hues, ink }, random) => {
  const odd = random.whole(0, 11);
  return repeat(12, (index) => {
    const [x, y] = [104 + (index % 3) * 196, 110 + Math.floor(index / 3) * 146];
    const color = index === odd ? ink : (hues[(index + Math.floor(index / 3)) % 3] ?? ink);
    return halfDisk(x, index === odd ? y + 78 : y, 88, index === odd ? 180 : 0, color);
  });
};

/** A microphone in front of a great deal of expectation. */
export const microphone: Motif = ({ ground, ink, hues }, random) => {
  const turn = random.whole(-28, 28);
  const rays = repeat(16, (index) => {
    const angle = (index * Math.PI) / 8 + 0.1;
    const [x1, y1] = [300 + 900 * Math.cos(angle), 330 + 900 * Math.sin(angle)];
    const [x2, y2] = [300 + 900 * Math.cos(angle + 0.2), 330 + 900 * Math.sin(angle + 0.2)];
    return path(`M300 330L${n(x1)} ${n(y1)}L${n(x2)} ${n(y2)}Z`, hues[1]);
  });
  const body = [
    path('M248 400h104l-22 330h-60Z', ink),
    circle(300, 310, 118, hues[0]),
    stroke(
      repeat(7, (index) => `M${210 + index * 30} 200v220`) + repeat(7, (index) => `M185 ${220 + index * 30}h230`),
      ground,
      3,
    ),
    stroke(ring(300, 310, 152), hues[1], 70),
    stroke(ring(300, 310, 118), ink, 10),
    rect(190, 396, 220, 30, hues[2], 15),
  ];
  // The grid would show outside the head: the rays' color covers it, then the head's rim is drawn again.
  return rays + group(`transform="rotate(${turn} 300 420)"`, body.join(''));
};

/** Strings of pennants. */
export const bunting: Motif = ({ hues, ink }, random) =>
  repeat(5, (row) => {
    const [from, to, sag] = [
      70 + row * 118 + random.whole(-25, 25),
      70 + row * 118 + random.whole(-25, 25),
      random.whole(40, 90),
    ];
    const at = (t: number) => from + (to - from) * t + 4 * sag * t * (1 - t);
    return (
      stroke(`M0 ${from}Q300 ${n((from + to) / 2 + 2 * sag)} 600 ${to}`, ink, 4) +
      repeat(9, (index) => {
        const x = 12 + index * 66;
        const [left, right] = [at(x / 600), at((x + 50) / 600)];
        return path(
          `M${x} ${n(left)}L${x + 50} ${n(right)}L${x + 25} ${n((left + right) / 2 + 74)}Z`,
          hues[(index + row) % 3] ?? ink,
        );
      })
    );
  });

/** A sunburst with confetti in front. */
export const fireworks: Motif = ({ hues, ink }, random) => {
  const [x, y] = [random.whole(200, 400), random.whole(260, 400)];
  const burst = repeat(24, (index) => {
    const angle = (index * Math.PI) / 12;
    const reach = index % 2 ? 250 : 330;
    const start = index % 2 ? 90 : 60;
    const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
    return (
      stroke(
        `M${n(x + dx * start)} ${n(y + dy * start)}L${n(x + dx * reach)} ${n(y + dy * reach)}`,
        index % 2 ? hues[1] : hues[0],
        index % 2 ? 7 : 14,
      ) + circle(x + dx * (reach + 20), y + dy * (reach + 20), index % 2 ? 6 : 11, index % 2 ? hues[2] : ink)
    );
  });
  const bits = repeat(22, () =>
    circle(random.whole(10, 590), random.whole(10, HEIGHT - 180), random.whole(3, 9), random.pick(hues)),
  );
  return bits + burst + circle(x, y, 40, ink);
};

/** Paper lanterns and their doubles in the water. */
export const lanterns: Motif = ({ ink, hues }, random) => {
  const lamps = Array.from({ length: 6 }, (_, index) => ({
    x: 60 + index * 96,
    y: random.whole(120, 330),
    r: random.whole(30, 56),
  }));
  return [
    rect(0, 450, WIDTH, HEIGHT, hues[2]),
    ...lamps.map(
      ({ x, y, r }, index) =>
        rect(x - 1.5, 0, 3, y, ink) +
        `<ellipse cx="${x}" cy="${y}" rx="${r}" ry="${n(r * 1.25)}" fill="${hues[index % 2] ?? ink}"/>` +
        stroke(
          `M${x - r} ${y}h${2 * r}M${n(x - r * 0.86)} ${y - r * 0.6}h${n(r * 1.72)}M${n(x - r * 0.86)} ${y + r * 0.6}h${n(r * 1.72)}`,
          ink,
          2,
        ) +
        repeat(4, (line) =>
          rect(x - r + line * 7 + random.whole(-10, 10), 900 - y - line * 26, 2 * r - line * 14, 9, hues[index % 2] ?? ink, 4),
        ),
    ),
    rect(0, 446, WIDTH, 6, ink),
  ].join('');
};
