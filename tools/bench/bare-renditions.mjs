// What ingest is measured against: sharp alone, making the same three renditions of each picture it is sent.
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import sharp from 'sharp';

const EDGES = { large: 2048, medium: 1024, small: 320 };
const [folder] = process.argv.slice(2);

sharp.cache(false);
sharp.concurrency(1);
console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  for (const path of JSON.parse(line)) {
    for (const [name, edge] of Object.entries(EDGES)) {
      await sharp(path)
        .autoOrient()
        .resize(edge, edge, { fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 80 })
        .toFile(join(folder, `${basename(path)}-${name}.webp`));
    }
  }
  console.log('done');
}
