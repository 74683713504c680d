import { Injectable } from '@nestjs/common';
import { Bytes, ReleasableFiles } from '@atrium/files';
import { ReleaseRules } from '@atrium/media';
import { Database } from '@atrium/platform/database';
import { isObject, Problem, type JsonValue } from '@atrium/platform/kernel';
import type { PageDocument } from '../domain/page-document';
import { CmsComponentRows } from '../infrastructure/cms-components.rows';
import type { CmsSession } from './cms-sessions';

const MOST_FILES = 500;
const GONE = 'The page has a file that no longer exists.';
const fileFault = (message: string) => ({ errors: [{ path: 'node_content', code: 'file_unavailable', message }] });

/** Sends the files of a page to the CMS before the page, each version once. */
@Injectable()
export class AssetSending {
  constructor(
    private readonly db: Database,
    private readonly files: ReleasableFiles,
    private readonly rules: ReleaseRules,
    private readonly bytes: Bytes,
    private readonly components: CmsComponentRows,
  ) {}

  async sendAssets(session: CmsSession, document: PageDocument): Promise<void> {
    const ids = [
      ...new Set([...filesIn(document.content), ...filesIn(document.seo), ...Object.values(document.overlays).flatMap(filesIn)]),
    ];
    const missing = ids.filter((id) => session.pages.findSentFile(id) === undefined).slice(0, MOST_FILES);
    if (missing.length === 0) return;
    const { files, refusals } = await this.db.read(async () => ({
      files: await this.files.findAllReleasable(missing),
      refusals: await this.rules.findRefusals(missing, 'publish'),
    }));
    // What the CMS stores is public, whether or not its page is published there.
    const [refusal] = refusals.values();
    if (refusal) throw new Problem('unprocessable_content', refusal.reason, fileFault(refusal.reason));
    for (const file_id of missing) {
      const file = files.get(file_id);
      const hash = file?.file_hash ?? null;
      if (!file || hash === null || file.is_trashed) throw new Problem('unprocessable_content', GONE, fileFault(GONE));
      const { size, type } = await this.bytes.requireBytes(file_id, hash);
      const sent = await session.port.sendAsset(session.call, {
        hash,
        name: file.file_name,
        type,
        length: size,
        open: async () => (await this.bytes.openBytes(file_id, hash)).stream,
      });
      await this.db.write(() => this.components.addSentFile(session.site.site_id, { file_id, hash, ...sent }));
      session.pages.addSentFile(file_id, sent);
    }
  }
}

/** Files that assets and links of a value name. */
function filesIn(value: JsonValue | undefined): readonly string[] {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(filesIn);
  if (!isObject(value)) return [];
  const own = [value['file'], value['kind'] === 'file' ? value['ref'] : undefined].filter((id) => typeof id === 'string');
  return [...own, ...Object.values(value).flatMap(filesIn)];
}
