/** A landscape as SVG: sky, sun, hills, houses and trees placed by a seeded generator, in units that scale with the size. */
export function landscapeDrawing(width: number, height: number, seed: number): string {
  const random = seeded(seed);
  const hills = Array.from({ length: 4 }, (_, index) => hill(random, index));
  const things = Array.from({ length: 24 }, () => thing(random));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 1000 1000" preserveAspectRatio="none">
<defs>
<linearGradient id="sky" x1="0" y1="0" x2="0.2" y2="1"><stop offset="0" stop-color="hsl(${between(random, 205, 225)},80%,45%)"/><stop offset="1" stop-color="hsl(200,70%,85%)"/></linearGradient>
<radialGradient id="sun"><stop offset="0.3" stop-color="#fff6c8"/><stop offset="1" stop-color="#ffcf40"/></radialGradient>
</defs>
<rect width="1000" height="1000" fill="url(#sky)"/>
<circle cx="${between(random, 120, 880)}" cy="${between(random, 90, 200)}" r="70" fill="url(#sun)"/>
${hills.join('\n')}
${things.join('\n')}
</svg>`;
}

function hill(random: () => number, index: number): string {
  const top = 480 + index * 110;
  const [a, b, c] = [between(random, -90, 60), between(random, -90, 60), between(random, -90, 60)];
  const color = `hsl(${between(random, 95, 130)},${between(random, 35, 60)}%,${between(random, 22, 44)}%)`;
  return `<path d="M0 ${top + a} C 250 ${top + b - 60} 400 ${top + c + 50} 560 ${top + b} S 850 ${top + a - 40} 1000 ${top + c} V 1000 H 0 Z" fill="${color}"/>`;
}

function thing(random: () => number): string {
  const [x, y, size] = [between(random, 20, 960), between(random, 560, 950), between(random, 15, 60)];
  const color = `hsl(${between(random, 0, 360)},${between(random, 30, 80)}%,${between(random, 30, 70)}%)`;
  if (random() < 0.5) return `<rect x="${x}" y="${y}" width="${size}" height="${size * 0.8}" fill="${color}"/>`;
  return `<ellipse cx="${x}" cy="${y}" rx="${size * 0.5}" ry="${size}" fill="${color}"/>`;
}

const between = (random: () => number, low: number, high: number): number => Math.round(low + random() * (high - low));

/** A small linear congruential generator: the same numbers on every machine. */
function seeded(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
