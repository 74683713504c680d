import { crc32, deflateSync } from 'node:zlib';
import { drawPicture } from './drawn-pictures';

/** A PNG of a few hundred bytes that declares 2.5 billion pixels. */
export function pixelBomb(width = 50_000, height = 50_000): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(65_536))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A JPEG whose upload broke off: the header and the first part of its pixels. */
export async function truncatedJpeg(width = 1600, height = 1200): Promise<Buffer> {
  const whole = await drawPicture({ width, height, format: 'jpeg', seed: 7 });
  return whole.subarray(0, Math.floor(whole.length * 0.6));
}

/** A page that someone named like a picture. */
export const pageNamedPicture = (): Buffer =>
  Buffer.from('<!DOCTYPE html>\n<html><head><title>Prize</title></head><body><script>alert(document.domain)</script></body></html>\n');

/** An SVG that wants the content of a file of the server drawn into it. */
export const drawingWithEntity = (target = 'file:///etc/hostname'): Buffer =>
  Buffer.from(`<?xml version="1.0"?>
<!DOCTYPE svg [<!ENTITY stolen SYSTEM "${target}">]>
<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100"><text x="10" y="50">&stolen;</text></svg>`);

/** An SVG that would make its renderer fetch an address. */
export const drawingWithReference = (href: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="400" height="100">
<image xlink:href="${href}" width="400" height="100"/></svg>`);

/** A PDF of less than a megabyte whose page unpacks to half a gigabyte. */
export function swellingDocument(): Buffer {
  const packed = deflateSync(Buffer.alloc(512 * 1024 * 1024, ' '), { level: 1 });
  const head = [
    '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Count 1 /Kids [3 0 R] >>\nendobj\n',
    '3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << >> >>\nendobj\n',
    `4 0 obj\n<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`,
  ].join('');
  return Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream\nendobj\ntrailer\n<< /Size 5 /Root 1 0 R >>\n%%EOF\n')]);
}
