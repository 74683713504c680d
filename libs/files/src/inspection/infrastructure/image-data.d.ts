/** Pixels as browsers hold them: the one type of theirs that the reader of Photoshop files speaks of. */
interface ImageData {
  readonly width: number;
  readonly height: number;
  readonly colorSpace: 'srgb';
  readonly data: Uint8ClampedArray;
}
