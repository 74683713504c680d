import { Injectable } from '@nestjs/common';
import { FolderFiles } from '@atrium/documents';
import { ReadableFiles, type RepoType } from '@atrium/files';
import { NamedBases } from '@atrium/knowledge';
import { ModelRegistry } from '@atrium/models';
import type { Principal } from '@atrium/platform/access';
import type { FieldFault } from '@atrium/platform/kernel';

/** Ids that somebody enters in a field, and those that are there already: these were checked when they were entered. */
export interface EnteredIds {
  readonly field: string;
  readonly ids: readonly string[];
  readonly kept: readonly string[];
}

const PICTURE = /^file:([0-9a-f-]{36})$/i;
const PICTURES: readonly RepoType[] = ['media', 'generated', 'docs'];

/** What agents and prompts refer to, with the rights of the person who writes them: what they cannot read counts as unknown. Within a unit of work. */
@Injectable()
export class KnownReferences {
  constructor(
    private readonly models: ModelRegistry,
    private readonly bases: NamedBases,
    private readonly folders: FolderFiles,
    private readonly files: ReadableFiles,
  ) {}

  /** A text model of the workspace or of the installation; null is the default and always there. */
  async checkModel(field: string, model_id: string | null): Promise<FieldFault[]> {
    if (model_id === null || (await this.models.hasText(model_id))) return [];
    return [{ path: field, code: 'reference', message: 'must be a text model of this workspace: see GET /models' }];
  }

  async checkKnowledge(caller: Principal, entered: EnteredIds): Promise<FieldFault[]> {
    return strangers(entered, 'is not a knowledge base that you can view', (ids) => this.bases.findReadableNames(caller, ids));
  }

  async checkDocumentFolders(caller: Principal, entered: EnteredIds): Promise<FieldFault[]> {
    return strangers(entered, 'is not a document folder that you can view', (ids) => this.folders.findReadableFolders(caller, ids));
  }

  async checkDocuments(caller: Principal, entered: EnteredIds): Promise<FieldFault[]> {
    return strangers(entered, 'is not a document that you can view', (ids) => this.files.findReadable(caller, ids, ['docs']));
  }

  /** An emoji and the name of an icon are taken as they are; a file must be one that the caller can read. */
  async checkIcon(caller: Principal, field: string, icon: string | null): Promise<FieldFault[]> {
    if (!icon?.startsWith('file:')) return [];
    const [, file_id] = PICTURE.exec(icon) ?? [];
    const found = file_id === undefined ? undefined : await this.files.findReadable(caller, [file_id], PICTURES);
    return found?.size ? [] : [{ path: field, code: 'reference', message: 'is not a file that you can view' }];
  }
}

async function strangers(
  { field, ids, kept }: EnteredIds,
  message: string,
  readable: (ids: readonly string[]) => Promise<ReadonlyMap<string, unknown>>,
): Promise<FieldFault[]> {
  const fresh = ids.filter((id) => !kept.includes(id));
  const known = fresh.length > 0 ? await readable(fresh) : new Map<string, unknown>();
  return ids.flatMap((id, at): FieldFault[] =>
    kept.includes(id) || known.has(id) ? [] : [{ path: `${field}[${at}]`, code: 'reference', message }],
  );
}

/** Ids as they are stored: in lower case, each once. */
export const plainIds = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))];
