import { Injectable } from '@nestjs/common';
import { Bytes, UprightPictures } from '@atrium/files';
import { Problem } from '@atrium/platform/kernel';
import type { PlannedFile } from '../../network/domain/media-rules';
import { SocialFailure } from '../../network/domain/social-failure';
import { SocialPort, type Upload } from '../../network/domain/social-port';
import type { SendingOrder } from './sending-order';
import { SendingStore } from './sending-store';

const JPEG_QUALITY = 88;
const MOST_BYTES = 50 * 1024 * 1024;

/** Uploads what a variant shows. What an earlier attempt has uploaded is used again while its bytes are the same. */
@Injectable()
export class AssetUploads {
  constructor(
    private readonly bytes: Bytes,
    private readonly pictures: UprightPictures,
    private readonly port: SocialPort,
    private readonly store: SendingStore,
  ) {}

  /** The assets by the ids of their files. */
  async uploadAssets(access: string, order: SendingOrder, number: number, signal: AbortSignal): Promise<Record<string, string>> {
    const { media } = order.rendered;
    const wanted = [...media.files, ...(media.link?.image ? [media.link.image] : [])];
    const assets: Record<string, string> = {};
    for (const file of wanted) {
      signal.throwIfAborted();
      const key = `${order.target.tgt_external_id} ${file.file_id} ${order.hashes.get(file.file_id)?.hash ?? ''}`;
      const known = order.variant.spv_assets[key];
      assets[file.file_id] = known ?? (await this.uploadOne(access, order, { file, key, number }, signal));
    }
    return assets;
  }

  private async uploadOne(
    access: string,
    order: SendingOrder,
    { file, key, number }: { readonly file: PlannedFile; readonly key: string; readonly number: number },
    signal: AbortSignal,
  ): Promise<string> {
    const { spv_id } = order.variant;
    const urn = await this.store.recordStep(spv_id, number, 'upload', () =>
      this.withUpload(order, file, signal, (upload) => this.port.uploadAsset(access, upload, signal)),
    );
    await this.store.changeVariant(spv_id, async ({ variant }) => {
      variant.spv_assets = { ...variant.spv_assets, [key]: urn };
    });
    return urn;
  }

  /** Pictures are sent upright and in a format that the platform takes; everything else as it is stored. */
  private withUpload<T>(
    order: SendingOrder,
    { file_id, kind, is_converted }: PlannedFile,
    signal: AbortSignal,
    use: (upload: Upload) => Promise<T>,
  ): Promise<T> {
    const { hash = '', type = '', size = 0 } = order.hashes.get(file_id) ?? {};
    const author = order.target.tgt_external_id;
    if (kind !== 'image' || (!is_converted && type !== 'image/jpeg'))
      return use({
        ...{ author, kind, type, size },
        openRange: async (start, end) => (await readable(() => this.bytes.openBytes(file_id, hash, 'original', { start, end }))).stream,
      });
    const bounds = { mostPixels: this.port.limits.image_pixels, mostBytes: MOST_BYTES, quality: JPEG_QUALITY };
    return readable(() =>
      this.pictures.renderJpeg({ file_id, hash, signal }, bounds, (jpeg) =>
        use({ author, kind, type: jpeg.type, size: jpeg.size, openRange: (start, end) => Promise.resolve(jpeg.openBytes({ start, end })) }),
      ),
    );
  }
}

/** Storage that does not answer is a try like any other: the attempt is planned again. */
async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const isPassing = ['service_unavailable', 'upstream_failed', 'upstream_timeout'].includes(error.code);
    throw new SocialFailure(isPassing ? 'unavailable' : 'rejected', error.detail);
  }
}
