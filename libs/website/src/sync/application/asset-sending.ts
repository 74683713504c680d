import { Injectable } from '@nestjs/common';
import { Bytes, ReleasableFiles } from '@atrium/files';
import { ReleaseRules } from '@atrium/media';
import { Database } from '@atrium/platform/database';
import { isObject, Problem, type JsonValue } from '@atrium/platform/kernel';
import type { PageDocument } from '../../content/domain/page-document';
import type { OutgoingAsset } from '../domain/cms-port';
import { CmsProblem } from '../domain/cms-problem';
import { CmsComponentRows } from '../infrastructure/cms-components.rows';
import type { CmsSession } from './cms-sessions';

const MOST_FILES = 500;
const GONE = 'The page has a file that no longer exists.';
const fileFault = (message: string) => ({ errors: [{ path: 'node_content', code: 'file_unavailable', message }] });

interface UsedFile extends Pick<OutgoingAsset, 'alt' | 'title'> {
  readonly file_id: string;
}

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
    const used = [...filesIn(document.content), ...filesIn(document.seo), ...Object.values(document.overlays).flatMap(filesIn)];
    // Described as it is where the page shows it first.
    const texts = new Map(used.toReversed().map(({ file_id, ...described }) => [file_id, described]));
    const missing = [...new Set(used.map(({ file_id }) => file_id))].filter((id) => session.pages.findSentFile(id) === undefined);
    if (missing.length === 0) return;
    if (missing.length > MOST_FILES)
      throw new CmsProblem('too_large', `The page shows more than ${MOST_FILES} files that are not in the CMS yet.`);
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
        ...texts.get(file_id),
        open: async () => (await this.bytes.openBytes(file_id, hash)).stream,
      });
      await this.db.write(() => this.components.addSentFile(session.site.site_id, { file_id, hash, ...sent }));
      session.pages.addSentFile(file_id, sent);
    }
  }
}

/** Files that assets and links of a value name. */
function filesIn(value: JsonValue | undefined): readonly UsedFile[] {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap(filesIn);
  if (!isObject(value)) return [];
  const file_id = value['file'] ?? (value['kind'] === 'file' ? value['ref'] : undefined);
  const own = typeof file_id === 'string' ? [{ file_id, alt: textOf(value['alt']), title: textOf(value['title']) }] : [];
  return [...own, ...Object.values(value).flatMap(filesIn)];
}

const textOf = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
