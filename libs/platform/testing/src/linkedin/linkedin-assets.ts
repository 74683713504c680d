import { createHash } from 'node:crypto';
import { refused, type IssuedToken, type LinkedInAsset, type LinkedInRequest, type LinkedInState, type Reply } from './linkedin-state';

const RANGE = 4 * 1024 * 1024;
const URNS = { images: 'image', videos: 'video', documents: 'document' } as const;
const FIELDS = { images: 'image', videos: 'video', documents: 'document' } as const;

export type AssetKind = keyof typeof URNS;
export const isAssetKind = (name: string): name is AssetKind => Object.hasOwn(URNS, name);

/** Uploads of pictures, videos and documents: an address is asked for, bytes are put there, and the network looks at them. */
export class LinkedInAssets {
  constructor(
    private readonly state: LinkedInState,
    private readonly address: () => string,
  ) {}

  serve(kind: AssetKind, urn: string, request: LinkedInRequest, token: IssuedToken): Reply {
    if (request.method === 'GET') return { status: 200, body: this.status(kind, urn) };
    const body = JSON.parse(request.bytes.toString()) as Record<string, Record<string, unknown>>;
    const action = request.query.get('action');
    if (action === 'initializeUpload') return { status: 200, body: { value: this.begin(kind, body.initializeUploadRequest ?? {}, token) } };
    if (action === 'finalizeUpload' && kind === 'videos') return this.finalize(body.finalizeUploadRequest ?? {});
    throw refused(400, `Unknown action ${action}`);
  }

  /** Bytes at an upload address: all of them or one range, with their length and in one piece. */
  receive(id: string, range: number, request: LinkedInRequest): Reply {
    const asset = [...this.state.assets.values()].find(({ urn }) => urn.endsWith(`:${id}`));
    if (!asset) throw refused(404, 'Unknown upload');
    if (request.headers['transfer-encoding'] !== undefined || request.headers['content-length'] === undefined)
      throw refused(411, 'Length Required');
    if (Number(request.headers['content-length']) !== request.bytes.length) throw refused(400, 'Length differs');
    if (asset.kind !== 'videos') {
      asset.bytes = request.bytes;
      asset.status = 'PROCESSING';
      return { status: 201 };
    }
    const part = asset.ranges[range];
    if (!part || part.lastByte - part.firstByte + 1 !== request.bytes.length) throw refused(400, 'Not the range that was asked for');
    asset.bytes = Buffer.concat([asset.bytes, request.bytes]);
    part.etag = `/ambry-video/${createHash('sha256').update(request.bytes).digest('hex').slice(0, 24)}-${range}`;
    return { status: 200, headers: { etag: part.etag } };
  }

  private begin(kind: AssetKind, wish: Record<string, unknown>, token: IssuedToken): object {
    const owner = String(wish.owner);
    const needed = owner.startsWith('urn:li:organization:') ? 'w_organization_social' : 'w_member_social';
    if (!token.scopes.includes(needed)) throw refused(403, 'Not enough permissions to access this resource', { code: 'ACCESS_DENIED' });
    const id = `C4${this.state.nextNumber()}`;
    const urn = `urn:li:${URNS[kind]}:${id}`;
    const size = kind === 'videos' ? Number(wish.fileSizeBytes) : 0;
    if (kind === 'videos' && !(size > 0)) throw refused(400, 'fileSizeBytes is required');
    const ranges = Array.from({ length: Math.ceil(size / RANGE) }, (_, at) => ({
      firstByte: at * RANGE,
      lastByte: Math.min(size, (at + 1) * RANGE) - 1,
      etag: null,
    }));
    const status = 'WAITING_UPLOAD';
    this.state.assets.set(urn, { urn, kind, owner, status, bytes: Buffer.alloc(0), ranges, pollsLeft: this.state.polls });
    const at = (range: number): string => `${this.address()}/dms-uploads/${id}/${range}`;
    const expires = Date.now() + 3_600_000;
    if (kind !== 'videos') return { uploadUrlExpiresAt: expires, uploadUrl: at(0), [FIELDS[kind]]: urn };
    const uploadInstructions = ranges.map(({ firstByte, lastByte }, range) => ({ uploadUrl: at(range), firstByte, lastByte }));
    return { uploadUrlsExpireAt: expires, video: urn, uploadInstructions, uploadToken: '' };
  }

  /** The ETags in the order of their ranges, each as it was answered. */
  private finalize(wish: Record<string, unknown>): Reply {
    const asset = this.state.assets.get(String(wish.video));
    if (!asset) throw refused(404, 'Unknown video');
    const wanted = asset.ranges.map(({ etag }) => etag);
    if (wanted.includes(null) || JSON.stringify(wanted) !== JSON.stringify(wish.uploadedPartIds))
      throw refused(400, 'uploadedPartIds do not match the uploaded parts in order');
    asset.status = 'PROCESSING';
    return { status: 200 };
  }

  private status(kind: AssetKind, urn: string): object {
    const asset = this.state.assets.get(urn);
    if (!asset || asset.kind !== kind) throw refused(404, 'Could not find entity');
    this.advance(asset);
    return { id: urn, owner: asset.owner, status: asset.status, downloadUrl: 'https://media.example.com/asset' };
  }

  private advance(asset: LinkedInAsset): void {
    if (asset.status !== 'PROCESSING') return;
    if (this.state.failsProcessing) asset.status = 'PROCESSING_FAILED';
    else if (--asset.pollsLeft < 0) asset.status = 'AVAILABLE';
  }
}
