/** What sets one kind of albums apart from another: the library it belongs to, who may do what, and how it is called. */
export abstract class AlbumKind {
  /** The library whose files it holds; the scope of the searches that fill smart ones. */
  abstract readonly name: 'media' | 'docs';
  /** What people call one. */
  abstract readonly noun: string;
  /** What people call the library. */
  abstract readonly library: string;
  /** What references, access lists and events call one. */
  abstract readonly reference: 'album' | 'document_folder';
  abstract readonly permissions: {
    readonly view: 'media:view' | 'document:view';
    readonly edit: 'media:edit' | 'document:edit';
    readonly delete: 'media:delete' | 'document:delete';
  };
  /** Whether an access list also guards the files inside: readers who may not see all of them are shown those they may. */
  abstract readonly guardsFiles: boolean;
  /** Whether it is recorded what enters and leaves smart ones. */
  abstract readonly recordsChanges: boolean;
  /** How many a workspace has at most, and how many of them hold one file. */
  abstract readonly most: { readonly albums: number; readonly holding: number };
}

/** Albums of the media library. */
export const MEDIA_ALBUMS: AlbumKind = {
  name: 'media',
  noun: 'album',
  library: 'media library',
  reference: 'album',
  permissions: { view: 'media:view', edit: 'media:edit', delete: 'media:delete' },
  guardsFiles: false,
  recordsChanges: true,
  most: { albums: Infinity, holding: Infinity },
};

/** Folders of the document library. */
export const DOCUMENT_FOLDERS: AlbumKind = {
  name: 'docs',
  noun: 'folder',
  library: 'document library',
  reference: 'document_folder',
  permissions: { view: 'document:view', edit: 'document:edit', delete: 'document:delete' },
  guardsFiles: true,
  recordsChanges: false,
  most: { albums: 10_000, holding: 100 },
};
