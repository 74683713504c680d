import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { kindOf } from './file-kinds';

/** Raised when inspections find more than before: what was looked into by an earlier one is looked into again when its bytes come again. */
const INSPECTOR_VERSION = 2;
const VIDEO_TOOLS = ['ffmpeg', 'ffprobe'];

/** What an inspection can find out of bytes of a type: its version, and for films whether there are tools. */
export async function abilitiesFor(type: string, searchPath: string): Promise<string> {
  if (kindOf(type) !== 'video') return String(INSPECTOR_VERSION);
  return (await hasAll(VIDEO_TOOLS, searchPath)) ? `${INSPECTOR_VERSION}+video` : String(INSPECTOR_VERSION);
}

/** What an inspection left, as far as it says who made it. */
interface Found {
  readonly inspector?: unknown;
  readonly error?: unknown;
}

/** Whether an inspection with these abilities would find the same. What was found before abilities were noted stays, unless it is a fault. */
export const isFoundBy = (abilities: string, { inspector, error }: Found): boolean =>
  inspector === abilities || (inspector === undefined && error === undefined);

/** Whether no inspection could find out more, whatever tools there are. */
export const isFinal = (found: Found, type: string): boolean =>
  isFoundBy(kindOf(type) === 'video' ? `${INSPECTOR_VERSION}+video` : String(INSPECTOR_VERSION), found);

async function hasAll(programs: readonly string[], searchPath: string): Promise<boolean> {
  const found = await Promise.all(programs.map((program) => hasOne(program, searchPath)));
  return found.every((there) => there);
}

async function hasOne(program: string, searchPath: string): Promise<boolean> {
  for (const folder of searchPath.split(delimiter)) {
    try {
      await access(join(folder, program), constants.X_OK);
      return true;
    } catch {
      // Looked for in the next folder.
    }
  }
  return false;
}
