/**
 * A file as cameras write it: a TIFF whose first directory says how the camera was held and points to a picture for
 * screens, with the sensor's own data beside it, which nothing here can draw.
 */
export function rawPhotograph(preview: Buffer, { orientation = 1 }: { readonly orientation?: number } = {}): Buffer {
  const sensor = Buffer.concat([Buffer.from('ffd8ffc3000b08000a000a01011100ffda', 'hex'), Buffer.alloc(preview.length + 1_000)]);
  const directories = 8 + directoryLength(6) + directoryLength(3);
  const [previewAt, sensorAt] = [directories, directories + preview.length];
  const camera = directory(
    [
      [0x103, 6],
      [0x111, previewAt],
      [0x112, orientation],
      [0x117, preview.length],
      [0x14a, 8 + directoryLength(6)],
      [0xc612, 0x0401],
    ],
    0,
  );
  const raw = directory(
    [
      [0x103, 7],
      [0x111, sensorAt],
      [0x117, sensor.length],
    ],
    0,
  );
  const header = Buffer.from('49492a0008000000', 'hex');
  return Buffer.concat([header, camera, raw, preview, sensor]);
}

const directoryLength = (entries: number): number => 2 + entries * 12 + 4;

function directory(entries: readonly (readonly [tag: number, value: number])[], next: number): Buffer {
  const bytes = Buffer.alloc(directoryLength(entries.length));
  bytes.writeUInt16LE(entries.length, 0);
  for (const [index, [tag, value]] of entries.entries()) {
    const at = 2 + index * 12;
    bytes.writeUInt16LE(tag, at);
    bytes.writeUInt16LE(4, at + 2);
    bytes.writeUInt32LE(1, at + 4);
    bytes.writeUInt32LE(value, at + 8);
  }
  bytes.writeUInt32LE(next, 2 + entries.length * 12);
  return bytes;
}
