/** Pictures for the stage, the table, the gallery, the neighbors, children and the open air. */

import { circle, group, HEIGHT, halfDisk, type Motif, n, path, rect, repeat, ring, stroke, WIDTH } from './ink.ts';

/** The curtain parts; a light waits. */
export const curtain: Motif = ({ ink, hues }, random) => {
  const gap = random.whole(70, 130);
  const fold = (x: number, lean: number, color: string) =>
    path(`M${x} 0h54Q${n(x + 54 + lean * 0.2)} 420 ${n(x + 54 + lean)} 700h-54Q${n(x + lean * 0.2)} 420 ${x} 0Z`, color);
  return [
    path(`M${random.whole(260, 340)} -40L${300 - gap - 90} 690H${300 + gap + 90}Z`, hues[1]),
    `<ellipse cx="300" cy="690" rx="${gap + 90}" ry="34" fill="${hues[2]}"/>`,
    repeat(5, (index) => fold(-20 + index * 52, -gap * (0.2 + index * 0.28), index % 2 ? hues[0] : ink)),
    repeat(5, (index) => fold(566 - index * 52, gap * (0.2 + index * 0.28), index % 2 ? hues[0] : ink)),
    rect(0, 0, WIDTH, 46, ink),
    repeat(10, (index) => halfDisk(30 + index * 60, 46, 30, 0, index % 2 ? hues[0] : ink)),
  ].join('');
};

/** Doors within doors, and someone about to go through. */
export const doorways: Motif = ({ ground, ink, hues }, random) => {
  const colors = [hues[0], ink, hues[1], hues[2], ground];
  const lean = random.whole(-22, 22);
  const doors = colors.map((color, index) => {
    const width = 500 - index * 96;
    const x = 300 - width / 2 + lean * index;
    return path(`M${n(x)} 700V${n(120 + index * 70 + width / 2)}a${width / 2} ${width / 2} 0 0 1 ${width} 0V700Z`, color);
  });
  const x = 300 + lean * 4;
  return doors.join('') + circle(x, 590, 15, ink) + path(`M${x - 13} 612h26l9 88h-44Z`, ink);
};

/** Two faces, one of which is the other. */
export const masks: Motif = ({ ground, ink, hues }, random) => {
  const face = (x: number, y: number, turn: number, color: string, mouth: number) =>
    group(
      `transform="translate(${x} ${y}) rotate(${turn})"`,
      path('M-130 -150Q0 -190 130 -150Q140 60 0 170Q-140 60 -130 -150Z', color) +
        halfDisk(-52, -46, 30, 180, ground) +
        halfDisk(52, -46, 30, 180, ground) +
        halfDisk(0, mouth > 0 ? 28 : 74, 58, mouth > 0 ? 0 : 180, ground),
    );
  const turn = random.whole(8, 18);
  return [
    stroke(
      repeat(7, (index) => ring(300, 380, 60 + index * 62)),
      hues[2],
      3,
    ),
    face(220, 300, -turn, hues[0], 1),
    face(385, 430, turn, ink, -1),
  ].join('');
};

/** Slices of citrus, cut clean. */
export const citrus: Motif = ({ ground, hues }, random) => {
  const slice = (x: number, y: number, r: number, color: string) => {
    const turn = random.whole(0, 60);
    const wedges = repeat(8, (index) => {
      const a = (index * Math.PI) / 4 + 0.07;
      const b = ((index + 1) * Math.PI) / 4 - 0.07;
      const reach = r * 0.78;
      return path(
        `M${n(Math.cos((a + b) / 2) * 9)} ${n(Math.sin((a + b) / 2) * 9)}L${n(reach * Math.cos(a))} ${n(reach * Math.sin(a))}A${n(reach)} ${n(reach)} 0 0 1 ${n(reach * Math.cos(b))} ${n(reach * Math.sin(b))}Z`,
        color,
      );
    });
    return group(
      `transform="translate(${x} ${y}) rotate(${turn})"`,
      circle(0, 0, r, color) + circle(0, 0, r * 0.86, ground) + wedges,
    );
  };
  return [
    slice(random.whole(130, 200), random.whole(160, 220), 165, hues[0]),
    slice(random.whole(420, 480), random.whole(360, 420), 190, hues[1]),
    slice(random.whole(120, 200), random.whole(560, 600), 120, hues[2]),
  ].join('');
};

/** A table seen from above. */
export const table: Motif = ({ ground, ink, hues }, random) => {
  const plate = (x: number, y: number, r: number, color: string) =>
    circle(x, y, r, ink) +
    circle(x, y, r - 9, ground) +
    circle(x, y, r * 0.66, color) +
    halfDisk(x, y, r * 0.66, random.whole(0, 7) * 45, random.pick(hues));
  const knife = rect(0, 0, 13, 150, ink, 6) + rect(-2, 66, 17, 96, ink, 7);
  const fork = rect(5, 50, 9, 116, ink, 4) + repeat(3, (index) => rect(index * 7.5, 0, 4, 44, ink)) + rect(0, 38, 19, 14, ink, 6);
  const [x, y] = [random.whole(270, 330), random.whole(330, 370)];
  return [
    repeat(9, (index) => rect(index * 70 - 10, 0, 30, HEIGHT, index % 2 ? hues[2] : 'none')),
    plate(x, y, 172, hues[0]),
    group(`transform="translate(${x - 236} ${y - 80})"`, fork),
    group(`transform="translate(${x + 208} ${y - 80})"`, knife),
    plate(random.whole(90, 150), 110, 74, hues[1]),
    plate(random.whole(440, 510), 610, 84, hues[1]),
  ].join('');
};

/** A bowl, steaming. */
export const bowl: Motif = ({ ink, hues }, random) => {
  const steam = repeat(5, (index) => {
    const x = 180 + index * 60;
    const sway = random.whole(18, 34) * (index % 2 ? 1 : -1);
    return stroke(`M${x} 400q${sway} -45 0 -90t0 -90t0 ${-random.whole(40, 90)}`, index % 2 ? hues[1] : ink, 13);
  });
  return [
    circle(300, 330, 250, hues[2]),
    steam.replaceAll('fill="none"', 'fill="none" stroke-linecap="round"'),
    halfDisk(300, 436, 216, 0, hues[0]),
    rect(64, 424, 472, 30, ink, 15),
    rect(220, 636, 160, 26, ink, 8),
    stroke(`M420 430L${random.whole(520, 570)} 210M452 430L${random.whole(560, 590)} 240`, ink, 10),
  ].join('');
};

/** Paper cutouts. */
export const cutouts: Motif = ({ hues, ink }, random) => {
  const frond = (x: number, y: number, turn: number, color: string) => {
    const pairs = random.whole(3, 4);
    const spread = random.whole(34, 58);
    const leaflets = repeat(pairs * 2, (index) => {
      const side = index % 2 ? 1 : -1;
      const at = -74 + (Math.floor(index / 2) * 130) / (pairs - 1);
      const reach = 58 - Math.abs(at + 8) * 0.22;
      return `<ellipse cx="${n(side * reach * 0.72)}" cy="${n(at)}" rx="${n(reach * 0.7)}" ry="16" transform="rotate(${side * -spread} 0 ${n(at)})"/>`;
    });
    const stem = '<path d="M-5 -96h10l4 200h-18z"/><ellipse cy="-96" rx="15" ry="26"/>';
    return group(`fill="${color}" transform="translate(${x} ${y}) rotate(${turn})"`, leaflets + stem);
  };
  const panels = repeat(6, (index) =>
    rect(
      (index % 2) * 300,
      Math.floor(index / 2) * 240,
      300,
      240,
      index % 3 === 1 ? hues[2] : index % 3 === 2 ? hues[1] : 'none',
    ),
  );
  const fronds = repeat(6, (index) =>
    frond(
      150 + (index % 2) * 300,
      125 + Math.floor(index / 2) * 240,
      random.whole(-28, 28) + (random.chance(0.3) ? 180 : 0),
      index % 2 ? hues[0] : ink,
    ),
  );
  return panels + fronds;
};

/** Tiles of quarter circles, as one learns to lay them. */
export const tiles: Motif = ({ ground, hues, ink }, random) => {
  const colors = [ground, ...hues, ink];
  return repeat(20, (index) => {
    const [x, y] = [(index % 4) * 150, Math.floor(index / 4) * 150];
    const [back, front] = random.sample(colors, 2) as [string, string];
    const [cx, cy, sweepX, sweepY, flag] = random.pick([
      [x, y, 150, 150, 1],
      [x + 150, y, -150, 150, 0],
      [x, y + 150, 150, -150, 0],
      [x + 150, y + 150, -150, -150, 1],
    ]) as [number, number, number, number, number];
    const shape = random.chance(0.2)
      ? circle(x + 75, y + 75, 52, front)
      : path(`M${cx} ${cy}h${sweepX}A150 150 0 0 ${flag} ${cx} ${cy + sweepY}Z`, front);
    return rect(x, y, 150, 150, back) + shape;
  });
};

/** Squares within squares: how a color looks next to another. */
export const squares: Motif = ({ ink, hues }, random) => {
  const order = random.sample([...hues, ink], 4);
  return (
    order.map((color, index) => rect(70 + index * 62, 100 + index * 80, 460 - index * 124, 460 - index * 110, color)).join('') +
    rect(70, 590, 460, 10, ink)
  );
};

/** Row houses, some with a light on. */
export const rowHouses: Motif = ({ ground, ink, hues }, random) =>
  repeat(3, (row) =>
    repeat(4, (column) => {
      const [x, width] = [20 + column * 142 - (row % 2) * 40, 132];
      const height = random.whole(120, 165);
      const top = 270 + row * 212 - height;
      const color = hues[(row * 2 + column) % 3] ?? ink;
      const roof = random.pick([
        `M${x} ${top}l${width / 2} -58l${width / 2} 58Z`,
        `M${x} ${top}v-34h44v-24h44v24h44v34Z`,
        `M${x} ${top}v-50l${width} 50Z`,
      ]);
      return [
        path(roof, ink),
        rect(x, top, width, 270 + row * 212 - top, color),
        repeat(4, (index) =>
          rect(x + 20 + (index % 2) * 56, top + 18 + Math.floor(index / 2) * 48, 34, 32, random.chance(0.3) ? ground : ink),
        ),
        rect(x + 54, 270 + row * 212 - 40, 26, 40, ground),
      ].join('');
    }),
  );

/** Circles that share something. */
export const commons: Motif = ({ hues, ink }, random) => {
  const turn = random.next() * 2;
  const disks = repeat(5, (index) => {
    const angle = turn + (index * 2 * Math.PI) / 5;
    return group('opacity=".82"', circle(300 + 125 * Math.cos(angle), 350 + 125 * Math.sin(angle), 145, hues[index % 3] ?? ink));
  });
  return disks + circle(300, 350, 44, ink);
};

/** Balloons, getting away. */
export const balloons: Motif = ({ ink, hues }, random) =>
  repeat(8, (index) => {
    const [x, y, r] = [
      75 + (index % 4) * 150 + random.whole(-28, 28),
      130 + Math.floor(index / 4) * 220 + random.whole(-60, 60),
      random.whole(52, 78),
    ];
    return [
      stroke(`M${x} ${y + r}q${random.whole(-40, 40)} 90 ${random.whole(-20, 20)} 190`, ink, 3),
      `<ellipse cx="${x}" cy="${y}" rx="${r}" ry="${n(r * 1.18)}" fill="${hues[index % 3] ?? ink}"/>`,
      path(`M${x - 11} ${n(y + r * 1.18 + 13)}h22l-11 -17Z`, hues[index % 3] ?? ink),
      `<ellipse cx="${n(x - r * 0.35)}" cy="${n(y - r * 0.45)}" rx="${n(r * 0.14)}" ry="${n(r * 0.26)}" fill="#fff" opacity=".6" transform="rotate(24 ${n(x - r * 0.35)} ${n(y - r * 0.45)})"/>`,
    ].join('');
  });

/** A bear, a cat or a rabbit, depending on the ears. */
export const creature: Motif = ({ ground, ink, hues }, random) => {
  const ears = random.pick([
    circle(160, 220, 84, hues[0]) + circle(440, 220, 84, hues[0]) + circle(160, 220, 44, hues[1]) + circle(440, 220, 44, hues[1]),
    path('M110 330L130 110L300 230ZM490 330L470 110L300 230Z', hues[0]) +
      path('M150 280L156 168L240 232ZM450 280L444 168L360 232Z', hues[1]),
    rect(160, 20, 100, 330, hues[0], 50) +
      rect(340, 20, 100, 330, hues[0], 50) +
      rect(190, 60, 40, 230, hues[1], 20) +
      rect(370, 60, 40, 230, hues[1], 20),
  ]);
  const look = random.whole(-12, 12);
  return [
    ears,
    circle(300, 400, 220, hues[0]),
    circle(215, 370, 40, ground) +
      circle(385, 370, 40, ground) +
      circle(215 + look, 372, 19, ink) +
      circle(385 + look, 372, 19, ink),
    `<ellipse cx="300" cy="490" rx="104" ry="78" fill="${hues[1]}"/>`,
    path('M266 455h68l-34 36Z', ink),
    `<path d="M300 490v26m-48 4q24 30 48 0q24 30 48 0" fill="none" stroke="${ink}" stroke-width="8" stroke-linecap="round"/>`,
    circle(140, 460, 28, hues[2]) + circle(460, 460, 28, hues[2]),
  ].join('');
};

/** Blocks, about to be knocked over. */
export const blocks: Motif = ({ ground, ink, hues }, random) =>
  repeat(15, (index) => {
    const row = Math.floor(index / 3);
    const [x, y, size] = [96 + (index % 3) * 138 + random.whole(-14, 14), 574 - row * 126, 126];
    const color = [...hues, ink][(index + row) % 4] ?? ink;
    const mark = random.pick([
      circle(x + 63, y + 63, 34, ground),
      path(`M${x + 63} ${y + 26}l38 68h-76Z`, ground),
      rect(x + 33, y + 33, 60, 60, ground),
      halfDisk(x + 63, y + 46, 40, 0, ground),
    ]);
    return group(
      `transform="rotate(${random.whole(-5, 5)} ${x + 63} ${y + 63})"`,
      rect(x, y, size - 4, size - 4, color, 12) + mark,
    );
  });

/** Hills behind hills, with a sun. */
export const hills: Motif = ({ ink, hues }, random) => {
  const colors = [hues[2], hues[1], hues[0], ink];
  const layers = colors.map((color, index) => {
    const base = 380 + index * 82;
    const [a, b, c] = [random.whole(-90, 40), random.whole(-60, 60), random.whole(-90, 40)];
    return path(
      `M0 ${base + a}C120 ${base + a - 70} 200 ${base + b + 60} 320 ${base + b}S520 ${base + c - 60} 600 ${base + c}V800H0Z`,
      color,
    );
  });
  return (
    circle(random.whole(160, 440), random.whole(180, 290), random.whole(80, 120), random.pick([hues[0], ink])) + layers.join('')
  );
};

/** Firs in three depths. */
export const forest: Motif = ({ ground, ink, hues }, random) => {
  const depth = [hues[2], hues[1], ink];
  const trees = depth.map((color, layer) =>
    repeat(7 - layer, (index) => {
      const x = (index + 0.5) * (600 / (7 - layer)) + random.whole(-24, 24);
      const [foot, height, half] = [500 + layer * 90, 230 + layer * 60 + random.whole(-40, 50), 50 + layer * 16];
      return path(
        `M${n(x)} ${foot - height}l${half * 0.6} ${n(height * 0.4)}h-${n(half * 0.25)}l${n(half * 0.65)} ${n(height * 0.6)}h${-2 * half}l${n(half * 0.65)} ${n(-height * 0.6)}h-${n(half * 0.25)}Z`,
        color,
      );
    }),
  );
  const moon =
    circle(random.whole(140, 460), 150, 70, hues[0]) +
    (random.chance(0.5) ? circle(random.whole(170, 300), 130, 66, ground) : '');
  return `${moon}${trees.join('')}${rect(0, 676, WIDTH, 140, ink)}`;
};

/** A map of a hill nobody has climbed. */
export const contours: Motif = ({ ink, hues }, random) => {
  const [x, y] = [random.whole(220, 380), random.whole(280, 420)];
  const bumps = Array.from({ length: 3 }, () => ({
    waves: random.whole(2, 4),
    reach: 0.05 + random.next() * 0.1,
    shift: random.next() * 6,
  }));
  return repeat(11, (index) => {
    const r = 30 + index * 36;
    const points = Array.from({ length: 25 }, (_, step) => {
      const angle = (step / 24) * 2 * Math.PI;
      const wobble = bumps.reduce((sum, bump) => sum + bump.reach * Math.sin(bump.waves * angle + bump.shift + index * 0.12), 1);
      return `${Math.round(x + r * wobble * Math.cos(angle))} ${Math.round(y + r * wobble * Math.sin(angle))}`;
    });
    const color = index % 4 === 0 ? hues[0] : index === 0 ? ink : hues[1];
    return `<path d="M${points.join('L')}Z" fill="${index === 0 ? hues[0] : 'none'}" stroke="${color}" stroke-width="${index % 4 === 0 ? 9 : 3.5}" stroke-linejoin="round"/>`;
  });
};
