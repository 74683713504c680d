/** Formats of before 2007, and what each becomes. */
export type OldFormat = 'doc' | 'xls' | 'ppt';

/**
 * `made`: the new file is at this path · `missing`: no program that converts is on this machine · `refused`: the program cannot
 * open the file · `slow`: it was ended, since its time was over
 */
export type Conversion = { readonly made: string } | 'missing' | 'refused' | 'slow';

export interface FileToConvert {
  readonly path: string;
  readonly from: OldFormat;
  /** Where the new file is written; it is the caller's to remove. */
  readonly folder: string;
  /** Milliseconds on the clock. */
  readonly timeoutMs: number;
}

/** Makes files of Office of before 2007 into those that are read. */
export interface OfficeConvert {
  convertFile(file: FileToConvert): Promise<Conversion>;
}
