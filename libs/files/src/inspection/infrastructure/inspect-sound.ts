import type { Inspection, SystemMetadata } from './inspection';

/** Duration and codec of audio, and of the containers of video that the same parser reads. */
export async function soundFacts(path: string, type: string): Promise<SystemMetadata> {
  const { parseFile } = await import('music-metadata');
  const { format } = await parseFile(path, { duration: type.startsWith('audio/'), skipCovers: true });
  const facts: SystemMetadata = {};
  if (format.duration !== undefined && Number.isFinite(format.duration)) facts.duration = Math.round(format.duration * 1000) / 1000;
  const codec = format.codec ?? format.container;
  if (codec) facts.codec = codec.slice(0, 80);
  return facts;
}

/** Audio has no renditions, only facts. */
export async function inspectSound(path: string, type: string): Promise<Inspection> {
  try {
    return { renditions: [], system: await soundFacts(path, type) };
  } catch {
    return { renditions: [], system: { error: 'unreadable' } };
  }
}
