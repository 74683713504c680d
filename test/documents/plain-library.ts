/** Who may see a folder, as these tests close it. */
export const ACCESS = ['everybody', 'the owner', 'the reader', 'editors'] as const;
export type Access = (typeof ACCESS)[number];

/** Somebody who looks: which lists of access name them. */
export interface PlainReader {
  readonly named: readonly Access[];
  /** Whether they belong to the workspace and hold the permission to view documents. */
  readonly isMember: boolean;
}

export interface PlainDocument {
  readonly file_id: string;
  readonly format: string;
  isActive: boolean;
  isTrashed: boolean;
}

export interface PlainFolder {
  readonly album_id: string;
  readonly parent: number | null;
  access: Access;
}

/** The rules of access to documents, repeated in the plainest form, for one workspace. */
export class PlainLibrary {
  private readonly filed = new Set<string>();
  private readonly linked = new Set<string>();

  constructor(
    readonly documents: readonly PlainDocument[],
    readonly folders: readonly PlainFolder[],
  ) {}

  file(document: number, folder: number): void {
    this.filed.add(`${document} ${folder}`);
  }

  unfile(document: number, folder: number): void {
    this.filed.delete(`${document} ${folder}`);
  }

  link(one: number, other: number): void {
    this.linked.add(`${Math.min(one, other)} ${Math.max(one, other)}`);
  }

  opens(reader: PlainReader, folder: number): boolean {
    const access = this.folders[folder]?.access;
    return reader.isMember && access !== undefined && reader.named.includes(access);
  }

  /** A document is open to those to whom every folder that holds it is. */
  reads(reader: PlainReader, document: number): boolean {
    return (
      reader.isMember &&
      this.documents[document]?.isTrashed === false &&
      this.folders.every((_, folder) => !this.holds(folder, document) || this.opens(reader, folder))
    );
  }

  listed(reader: PlainReader, lifecycle: 'active' | 'deprecated' | 'all' = 'active'): string[] {
    return this.idsOf((at, { isActive }) => this.reads(reader, at) && (lifecycle === 'all' || isActive === (lifecycle === 'active')));
  }

  within(reader: PlainReader, folder: number, { below = false }: { readonly below?: boolean } = {}): string[] {
    if (!this.opens(reader, folder)) return [];
    const meant = this.folders
      .map((_, at) => at)
      .filter((at) => at === folder || (below && this.isBelow(at, folder) && this.opens(reader, at)));
    return this.idsOf((at, { isActive }) => isActive && this.reads(reader, at) && meant.some((each) => this.holds(each, at)));
  }

  inNoFolder(reader: PlainReader): string[] {
    return this.idsOf(
      (at, { isActive }) => isActive && this.reads(reader, at) && !this.folders.some((_, folder) => this.holds(folder, at)),
    );
  }

  /** The other ends of links: deprecated ones too. */
  linkedWith(reader: PlainReader, document: number): string[] {
    return this.idsOf((at) => this.linked.has(`${Math.min(at, document)} ${Math.max(at, document)}`) && this.reads(reader, at));
  }

  /** Each with its count: `md 3`. */
  formats(reader: PlainReader): string[] {
    const counts: Record<string, number> = {};
    for (const [at, { format, isActive }] of this.documents.entries())
      if (isActive && this.reads(reader, at)) counts[format] = (counts[format] ?? 0) + 1;
    return Object.entries(counts)
      .map(([format, count]) => `${format} ${count}`)
      .sort();
  }

  private holds(folder: number, document: number): boolean {
    return this.filed.has(`${document} ${folder}`);
  }

  private isBelow(folder: number, above: number): boolean {
    const parent = this.folders[folder]?.parent ?? null;
    return parent !== null && (parent === above || this.isBelow(parent, above));
  }

  private idsOf(isMeant: (at: number, document: PlainDocument) => boolean): string[] {
    return this.documents
      .filter((document, at) => isMeant(at, document))
      .map(({ file_id }) => file_id)
      .sort();
  }
}
