import { ByteEvidence } from './byte-evidence';
import { encodingOfLabel } from './labels';
import { PAIR_ENCODINGS } from './pair-readings';
import { pairReading, singleByteReadings, type Reading } from './reading-costs';
import { wideEncoding } from './wide-encodings';

/** What a text is written in, and how that is known. */
export interface TextEncoding {
  readonly encoding: string;
  /** `bytes`: they can be nothing else · `label`: someone said so · `guess`: it is the likeliest of several. */
  readonly by: 'bytes' | 'label' | 'guess';
}

/** What Windows programs write where nothing says otherwise. */
const USUAL_SINGLE_BYTE = 'windows-1252';
/** UTF-8 with that many whole signs for a broken byte is damaged UTF-8, not another encoding. */
const WHOLE_TO_BROKEN = 8;
const UTF8_SIGN = 4;
const BROKEN = 20;
/** One byte alone beside whole signs is likelier damaged than the only sign of another encoding. */
const BROKEN_ALONE = 6;
const MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-32le', [0xff, 0xfe, 0x00, 0x00]],
  ['utf-32be', [0x00, 0x00, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
  ['gb18030', [0x84, 0x31, 0x95, 0x33]],
];

/**
 * The encoding of a text by all of its bytes: a mark decides, then zeros between them, then UTF-8 that is whole but for a few bytes,
 * then the label it carries, then what its bytes are most likely to say.
 */
export async function encodingOf(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, label?: string): Promise<TextEncoding> {
  const evidence = new ByteEvidence();
  for await (const chunk of source) evidence.add(chunk);
  return encodingBy(evidence.end(), label);
}

/** The encoding of a text that is in memory. */
export function encodingOfBytes(bytes: Uint8Array, label?: string): TextEncoding {
  const evidence = new ByteEvidence();
  evidence.add(bytes);
  return encodingBy(evidence.end(), label);
}

/** The encoding of a text that is in memory, or of its beginning, whose last word then may be cut off. */
export function sniffEncoding(sample: Uint8Array, whole: boolean): Promise<string> {
  const evidence = new ByteEvidence();
  evidence.add(sample);
  return Promise.resolve(encodingBy(whole ? evidence.end() : evidence, undefined).encoding);
}

function encodingBy(evidence: ByteEvidence, label: string | undefined): TextEncoding {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => evidence.head[at] === byte));
  if (marked) return { encoding: marked[0], by: 'bytes' };
  const wide = wideEncoding(evidence);
  if (wide !== undefined) return { encoding: wide, by: 'bytes' };
  if (
    evidence.escapes &&
    /\x1b(?:\$[@B]|\([BJ])/.test(evidence.head.toString('latin1')) &&
    evidence.utf8.signs + evidence.utf8.broken === 0
  )
    return { encoding: 'iso-2022-jp', by: 'bytes' };
  const labelled = label === undefined ? undefined : encodingOfLabel(label);
  const { signs, broken } = evidence.utf8;
  if (signs >= broken * WHOLE_TO_BROKEN && !(labelled !== undefined && signs + broken === 0)) return { encoding: 'utf-8', by: 'bytes' };
  if (labelled !== undefined && !labelled.startsWith('utf-')) return { encoding: labelled, by: 'label' };
  return { encoding: likeliest(evidence), by: 'guess' };
}

function likeliest(evidence: ByteEvidence): string {
  const { signs, broken } = evidence.utf8;
  const readings: Reading[] = [
    ...singleByteReadings(evidence),
    ...PAIR_ENCODINGS.map(({ name }) => pairReading(evidence, name)),
    { encoding: 'utf-8', bits: signs * UTF8_SIGN + broken * (signs > 0 && broken === 1 ? BROKEN_ALONE : BROKEN) },
  ];
  let best: Reading = { encoding: USUAL_SINGLE_BYTE, bits: Number.POSITIVE_INFINITY };
  for (const reading of readings) if (reading.bits < best.bits) best = reading;
  return best.encoding;
}
