import { createHash } from 'node:crypto';

/** What is laid over a picture: a text, or the picture of a blob. */
export type Watermark = { readonly text: string } | { readonly blob_id: string };

/** Equal marks make equal pictures, so each is made once for a blob. */
export const digestOf = (mark: Watermark): string =>
  createHash('sha256')
    .update('text' in mark ? `text:${mark.text}` : `blob:${mark.blob_id}`)
    .digest('hex')
    .slice(0, 16);
