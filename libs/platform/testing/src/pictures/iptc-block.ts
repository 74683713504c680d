import { createHash } from 'node:crypto';

/** The older block of IPTC data: values of the application record by their numbers, such as 5 for the title and 25 for a keyword. */
export interface IptcBlock {
  readonly values: readonly (readonly [number: number, text: string])[];
  /** `undeclared` is UTF-8 that does not say so. */
  readonly encoding?: 'utf8' | 'latin1' | 'undeclared';
  /** What is noted of the block that XMP was written for: `same` is this one, `other` another. */
  readonly digest?: 'same' | 'other';
}

/** A JPEG with such a block, as programs for pictures write it: behind the first mark, within the resources of Photoshop. */
export function withIptc(jpeg: Buffer, { values, encoding = 'utf8', digest }: IptcBlock): Buffer {
  const charset = encoding === 'utf8' ? [dataset(1, 90, Buffer.from('\x1b%G', 'latin1'))] : [];
  const block = Buffer.concat([
    ...charset,
    ...values.map(([number, text]) => dataset(2, number, Buffer.from(text, encoding === 'latin1' ? 'latin1' : 'utf8'))),
  ]);
  const noted =
    digest === undefined
      ? []
      : [
          resource(
            0x0425,
            createHash('md5')
              .update(digest === 'same' ? block : 'another')
              .digest(),
          ),
        ];
  const content = Buffer.concat([Buffer.from('Photoshop 3.0\0', 'latin1'), resource(0x0404, block), ...noted]);
  const head = Buffer.from([0xff, 0xed, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)]);
}

function dataset(record: number, number: number, value: Buffer): Buffer {
  const head = Buffer.from([0x1c, record, number, 0, 0]);
  head.writeUInt16BE(value.length, 3);
  return Buffer.concat([head, value]);
}

function resource(kind: number, data: Buffer): Buffer {
  const head = Buffer.from('8BIM\0\0\0\0\0\0\0\0', 'latin1');
  head.writeUInt16BE(kind, 4);
  head.writeUInt32BE(data.length, 8);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}
