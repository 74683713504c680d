/** The sizes every picture is rendered in: the longest edge each may have, in pixels. */
export const RENDITION_EDGES = { large: 2048, medium: 1024, small: 320 } as const;

export type RenditionName = keyof typeof RENDITION_EDGES;

/** A finished rendition in the output folder of its inspection. */
export interface Rendition {
  readonly name: RenditionName;
  readonly path: string;
  readonly width: number;
  readonly height: number;
  readonly size: number;
  readonly type: 'image/webp';
}

/**
 * Why a file has no renditions or no metadata, for good: doing it again would end the same.
 * - `unreadable`: no decoder understands the bytes · `damaged`: bytes are missing or wrong; renditions show what could be read
 * - `unsupported_format`: a picture of a kind that is not rendered · `too_many_pixels`, `too_large`: over the limits
 * - `document_type`, `external_reference`: a vector picture that declares entities or points outside itself
 * - `too_complex`: a vector picture that would take too long to draw
 * - `timed_out`, `out_of_memory`, `crashed`: the inspecting process was ended or ended itself
 * - `encrypted`: a document that opens with a password only
 * - `no_video_tools`: ffmpeg and ffprobe are not installed
 */
export type InspectionFault =
  | 'unreadable'
  | 'damaged'
  | 'unsupported_format'
  | 'too_many_pixels'
  | 'too_large'
  | 'document_type'
  | 'external_reference'
  | 'too_complex'
  | 'timed_out'
  | 'out_of_memory'
  | 'crashed'
  | 'encrypted'
  | 'no_video_tools';

export type Orientation = 'landscape' | 'portrait' | 'square' | 'panorama';

export interface ColorShare {
  readonly hex: string;
  /** Part of the picture's opaque area, 0 to 1. */
  readonly share: number;
}

/** When, where, with what and how a picture or film was taken. */
export interface CaptureFacts {
  /** ISO 8601, in UTC; a camera clock without a zone is read as UTC. */
  taken?: string;
  /** What the camera's clock showed: `2024-05-17T08:30:00.120`. */
  taken_local?: string;
  /** How far that clock was ahead of UTC, `+02:00`; absent where nothing says so. */
  taken_zone?: string;
  camera?: string;
  lens?: string;
  gps?: { readonly lat: number; readonly lng: number };
  /** Meters above the sea. */
  altitude?: number;
  iso?: number;
  /** Seconds. */
  exposure?: number;
  /** The f-number. */
  aperture?: number;
  /** Millimeters. */
  focal_length?: number;
}

/** What people wrote into a picture (IPTC, XMP), as their programs name it. */
export interface EmbeddedFacts {
  title?: string;
  headline?: string;
  caption?: string;
  keywords?: readonly string[];
  /** Keywords with those above them, widest first: `Places|Italy|Arezzo`. */
  keyword_paths?: readonly string[];
  creators?: readonly string[];
  credit?: string;
  copyright?: string;
  usage_terms?: string;
  /** 0 to 5 stars; -1: rejected. */
  rating?: number;
  label?: string;
  sublocation?: string;
  city?: string;
  state?: string;
  country?: string;
  country_code?: string;
}

/** What the service itself knows about a file's content: the `system` key of its metadata. */
export interface SystemMetadata extends CaptureFacts {
  /** As seen upright. */
  width?: number;
  height?: number;
  orientation?: Orientation;
  /** Seconds. */
  duration?: number;
  pages?: number;
  colors?: readonly ColorShare[];
  /** ThumbHash placeholder, base64. */
  thumbhash?: string;
  /** dHash of 64 bits, 16 hexadecimal digits. */
  phash?: string;
  /** Hashes of all of it and of parts; kept with the bytes, not shown. */
  views?: string;
  /** Part of its pixels that a picture needs for what it shows, 0 to 1; an enlarged copy needs fewer. */
  detail?: number;
  alpha?: boolean;
  fps?: number;
  codec?: string;
  /** Of the first font in the file; `weight` from 1 to 1000. */
  font?: { readonly family: string; readonly style: string; readonly weight: number };
  embedded?: EmbeddedFacts;
  error?: InspectionFault;
}

/** A file to look into: a local path, its type as the bytes decided it, and the folder renditions go to. */
export interface InspectionTask {
  readonly path: string;
  readonly type: string;
  readonly outputDir: string;
}

export interface Inspection {
  readonly renditions: readonly Rendition[];
  readonly system: SystemMetadata;
}

/** A picture to be written as an upright JPEG of at most so many pixels and bytes. */
export interface JpegTask {
  readonly path: string;
  readonly type: string;
  readonly jpegPath: string;
  readonly mostPixels: number;
  readonly mostBytes: number;
  /** 1 to 100. */
  readonly quality: number;
}

export interface UprightJpeg {
  readonly width: number;
  readonly height: number;
  /** Bytes. */
  readonly size: number;
}

export type JpegAnswer = UprightJpeg | { readonly fault: InspectionFault };

/** Content that cannot be inspected; ends in `system.error`, never in a retry. */
export class InspectionError extends Error {
  constructor(
    readonly fault: InspectionFault,
    options?: ErrorOptions,
  ) {
    super(`The file cannot be inspected: ${fault}.`, options);
  }
}
