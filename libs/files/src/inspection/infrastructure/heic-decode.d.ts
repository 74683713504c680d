declare module 'heic-decode' {
  interface DecodedImage {
    readonly width: number;
    readonly height: number;
    readonly data: Uint8ClampedArray;
  }
  /** An image of the container whose pixels are decoded when asked for. */
  interface ContainedImage {
    readonly width: number;
    readonly height: number;
    decode(): Promise<DecodedImage>;
  }
  interface HeicDecode {
    (input: { readonly buffer: Uint8Array }): Promise<DecodedImage>;
    all(input: { readonly buffer: Uint8Array }): Promise<readonly ContainedImage[]>;
  }
  const decode: HeicDecode;
  export default decode;
}
