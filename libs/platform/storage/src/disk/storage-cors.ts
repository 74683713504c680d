import type { IncomingMessage, ServerResponse } from 'node:http';

/** Which browser origins may use signed URLs, and which headers they may send and read. The URL itself is the permission. */
export class StorageCors {
  constructor(private readonly origins: readonly string[]) {}

  decorate(req: IncomingMessage, res: ServerResponse): void {
    const origin = req.headers.origin;
    const any = this.origins.includes('*');
    if (!any) res.appendHeader('vary', 'Origin');
    // Pictures may be embedded by other sites; what they may read of them is decided below.
    res.setHeader('cross-origin-resource-policy', 'cross-origin');
    if (origin === undefined || !(any || this.origins.includes(origin))) return;
    res.setHeader('access-control-allow-origin', any ? '*' : origin);
    res.setHeader(
      'access-control-expose-headers',
      'ETag, Accept-Ranges, Content-Range, Content-Length, Content-Disposition, Last-Modified',
    );
  }

  preflight(res: ServerResponse): void {
    if (res.hasHeader('access-control-allow-origin')) {
      res.setHeader('access-control-allow-methods', 'GET, HEAD, PUT');
      res.setHeader('access-control-allow-headers', 'Content-Type, If-None-Match, If-Range, Range, X-Amz-Checksum-Sha256');
      res.setHeader('access-control-max-age', '3600');
    }
    res.writeHead(204).end();
  }
}
