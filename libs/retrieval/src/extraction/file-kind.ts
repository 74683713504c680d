import type { OldFormat } from './office/office-convert';
import type { TextKind } from './text/plain-files';

/** Engines that need to know nothing but the file. */
export type Engine =
  'pdf' | 'docx' | 'pptx' | 'xlsx' | 'csv' | 'tsv' | 'html' | 'odt' | 'ods' | 'odp' | 'rtf' | 'epub' | 'eml' | 'msg' | OldFormat;

/** What reads a file, by its bytes; its type and name decide only among kinds of text. */
export type FileKind =
  | { readonly engine: Engine }
  /** A text that may quote a PDF: what it is where it cannot be read as one. */
  | { readonly engine: 'pdf'; readonly otherwise: FileKind }
  | { readonly engine: 'text'; readonly text: TextKind }
  | { readonly engine: 'none'; readonly status: 'unsupported' | 'failed' | 'empty'; readonly reason: string };

export const unreadableKind = (status: 'unsupported' | 'failed' | 'empty', reason: string): FileKind => ({
  engine: 'none',
  status,
  reason,
});

export const saveAs = (kind: string, format: string): string => `${kind} cannot be read. Save the file as ${format} and upload it again.`;

/** Lower case and without its dot; empty for a name that has none. */
export const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name.toLowerCase())?.[1] ?? '';
