/** Formats of before 2007, and what each becomes. */
export type OldFormat = 'doc' | 'xls' | 'ppt';

/**
 * `made`: the new file is at this path · `missing`: no program that converts is on this machine · `refused`: the program cannot
 * open the file
 */
export type Conversion = { readonly made: string } | 'missing' | 'refused';

/** Makes files of Office of before 2007 into those that are read. */
export interface OfficeConvert {
  /** The file is written into the folder, which is the caller's to remove. */
  convert(path: string, from: OldFormat, folder: string): Promise<Conversion>;
}
