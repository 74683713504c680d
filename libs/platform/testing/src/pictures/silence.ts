const SAMPLES_A_SECOND = 8000;

/** A WAV file of so many seconds in which nothing is heard. */
export function silence(seconds: number): Buffer {
  const samples = SAMPLES_A_SECOND * seconds;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + samples, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLES_A_SECOND, 24);
  header.writeUInt32LE(SAMPLES_A_SECOND, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(samples, 40);
  return Buffer.concat([header, Buffer.alloc(samples, 128)]);
}
