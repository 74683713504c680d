import { stat } from 'node:fs/promises';
import { kindOf, PDF } from './file-kinds';
import type { Inspection, InspectionTask } from './inspection';
import { inspectDocument } from './inspect-document';
import { inspectFont } from './inspect-font';
import { inspectPicture } from './inspect-picture';
import { inspectSound } from './inspect-sound';
import { inspectVideo } from './inspect-video';

const NOTHING: Inspection = { renditions: [], system: {} };

/**
 * Looks into a file and writes its renditions. What is wrong with the content ends in `system.error`; what is wrong with
 * this machine (a missing file, a full disk) is thrown, because trying again may help.
 */
export async function inspectFile(task: InspectionTask): Promise<Inspection> {
  const { size } = await stat(task.path);
  if (size === 0) return NOTHING;
  const kind = kindOf(task.type);
  if (kind === 'image') return inspectPicture(task);
  if (kind === 'video') return inspectVideo(task);
  if (kind === 'font') return inspectFont(task.path);
  if (task.type === PDF) return inspectDocument(task);
  if (kind === 'audio') return inspectSound(task.path, task.type);
  return NOTHING;
}
