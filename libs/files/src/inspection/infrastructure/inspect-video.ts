import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { filmDuration } from './film-duration';
import { filmFacts } from './film-facts';
import type { Inspection, InspectionTask, SystemMetadata } from './inspection';
import { inspectPicture } from './inspect-picture';
import { orientationOf } from './picture-features';
import { soundFacts } from './inspect-sound';

/** Pixels longer than this are a mistake of the container. */
const MOST_STRETCHED = 8;
const run = promisify(execFile);
/** A container may name other files and addresses; nothing but the file itself is read. */
const ONLY_THIS_FILE = ['-protocol_whitelist', 'file,pipe'];

/** Describes a video and renders a frame near its beginning as its poster, with ffmpeg and ffprobe when they are there. */
export async function inspectVideo(task: InspectionTask): Promise<Inspection> {
  const probe = await probeVideo(task.path);
  if (probe === 'no_video_tools') {
    return { renditions: [], system: { ...(await factsWithoutTools(task)), error: probe } };
  }
  if (probe === 'unreadable') return { renditions: [], system: { error: probe } };
  const facts = videoFacts(probe);
  const poster = join(task.outputDir, 'poster.png');
  try {
    await drawPoster(task.path, poster, facts.duration ?? 0);
    const { renditions, system } = await inspectPicture({ path: poster, type: 'image/png', outputDir: task.outputDir });
    // Videos that begin alike are not one video: the looks of a frame say nothing of the whole.
    return { renditions, system: { ...system, ...facts, phash: undefined, detail: undefined, views: undefined, alpha: undefined } };
  } catch {
    return { renditions: [], system: facts };
  } finally {
    await rm(poster, { force: true });
  }
}

async function factsWithoutTools({ path, type }: InspectionTask): Promise<SystemMetadata> {
  const facts = await soundFacts(path, type).catch((): SystemMetadata => ({}));
  const duration = facts.duration ?? (await filmDuration(path));
  return duration === undefined ? facts : { ...facts, duration };
}

async function probeVideo(path: string): Promise<unknown> {
  try {
    const { stdout } = await run(
      'ffprobe',
      ['-v', 'error', ...ONLY_THIS_FILE, '-print_format', 'json', '-show_format', '-show_streams', `file:${path}`],
      {
        maxBuffer: 8 * 1024 * 1024,
      },
    );
    return JSON.parse(stdout) as unknown;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'no_video_tools' : 'unreadable';
  }
}

/** A frame as it is shown: upright, and with the pixels that it is stored in made square. */
export const SHOWN_FRAME =
  "scale='if(gt(sar,0),iw*sar,iw)':ih,setsar=1,scale='min(2048,iw)':'min(2048,ih)':force_original_aspect_ratio=decrease";

const drawPoster = (path: string, poster: string, duration: number): Promise<unknown> =>
  run('ffmpeg', [
    '-v',
    'error',
    '-nostdin',
    '-y',
    '-threads',
    '1',
    '-max_alloc',
    String(512 * 1024 * 1024),
    ...ONLY_THIS_FILE,
    '-ss',
    String(Math.min(1, duration / 10)),
    '-i',
    `file:${path}`,
    '-frames:v',
    '1',
    '-vf',
    SHOWN_FRAME,
    '-f',
    'image2',
    '-c:v',
    'png',
    `file:${poster}`,
  ]);

interface ProbedStream {
  readonly codec_type?: string;
  readonly codec_name?: string;
  readonly width?: number;
  readonly height?: number;
  readonly avg_frame_rate?: string;
  readonly sample_aspect_ratio?: string;
  readonly side_data_list?: readonly { readonly rotation?: number }[];
}

/** Facts from what ffprobe says; a frame stored on its side counts as it is shown. */
export function videoFacts(probe: unknown): SystemMetadata {
  const { streams = [], format = {} } = (probe ?? {}) as {
    streams?: readonly ProbedStream[];
    format?: { duration?: string; tags?: Record<string, unknown> };
  };
  const video = streams.find(({ codec_type }) => codec_type === 'video');
  const facts: SystemMetadata = filmFacts(format.tags ?? {});
  const duration = Number(format.duration);
  if (Number.isFinite(duration) && duration > 0) facts.duration = Math.round(duration * 1000) / 1000;
  if (!video) return facts;
  if (video.codec_name) facts.codec = video.codec_name;
  const rate = rateOf(video.avg_frame_rate);
  if (rate !== undefined) facts.fps = rate;
  if (!video.width || !video.height) return facts;
  const turned = (video.side_data_list ?? []).some(({ rotation = 0 }) => Math.abs(rotation) % 180 === 90);
  const wide = Math.round(video.width * pixelShape(video.sample_aspect_ratio));
  const [width, height] = turned ? [video.height, wide] : [wide, video.height];
  return { ...facts, width, height, orientation: orientationOf(width, height) };
}

/** How much wider than high the pixels of a film are shown; those of an anamorphic film are no squares. */
function pixelShape(ratio: string | undefined): number {
  const [wide = 0, high = 0] = (ratio ?? '').split(':').map(Number);
  const shape = wide / high;
  return shape >= 1 / MOST_STRETCHED && shape <= MOST_STRETCHED ? shape : 1;
}

function rateOf(fraction: string | undefined): number | undefined {
  const [frames = 0, seconds = 0] = (fraction ?? '').split('/').map(Number);
  return frames > 0 && seconds > 0 ? Math.round((frames / seconds) * 1000) / 1000 : undefined;
}
