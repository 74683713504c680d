/** RGB pixels as a Windows bitmap of 24 bits. */
export function bitmapFile(rgb: Buffer, width: number, height: number): Buffer {
  const stride = Math.ceil((width * 3) / 4) * 4;
  const file = Buffer.alloc(54 + stride * height);
  file.write('BM', 0, 'latin1');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(54, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (y * width + x) * 3;
      const to = 54 + (height - 1 - y) * stride + x * 3;
      file[to] = rgb[from + 2] ?? 0;
      file[to + 1] = rgb[from + 1] ?? 0;
      file[to + 2] = rgb[from] ?? 0;
    }
  }
  return file;
}
