const MIB = 1024 * 1024;
/** Uploads of this size and above come in parts. */
export const MULTIPART_FROM = 64 * MIB;
/** The least that a client may ask parts for. */
const MULTIPART_ASKED_FROM = 5 * MIB;
const SMALLEST_PART = 8 * MIB;
const MOST_PARTS = 10_000;

/** Whether an upload comes in parts: the service decides by size, a client may ask for it earlier. */
export const comesInParts = (size: number, asked: boolean): boolean => size >= MULTIPART_FROM || (asked && size >= MULTIPART_ASKED_FROM);

/** Bytes of every part but the last: at least 8 MiB, whole MiB, never more than 10,000 parts. */
export function partSizeFor(size: number): number {
  return Math.ceil(Math.max(SMALLEST_PART, Math.ceil(size / MOST_PARTS)) / MIB) * MIB;
}

interface Cut {
  readonly file_size: number;
  readonly upl_part_size: number | null;
}

/** How many parts an upload has; a single one counts as one. */
export const partCount = ({ file_size, upl_part_size }: Cut): number => (upl_part_size === null ? 1 : Math.ceil(file_size / upl_part_size));

/** Bytes of one part: the last one holds the rest. */
export function partLength(upload: Cut, part: number): number {
  if (upload.upl_part_size === null) return upload.file_size;
  return part < partCount(upload) ? upload.upl_part_size : upload.file_size - (partCount(upload) - 1) * upload.upl_part_size;
}
