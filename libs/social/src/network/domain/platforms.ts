export const PLATFORMS = ['linkedin'] as const;
export type Platform = (typeof PLATFORMS)[number];

export const VISIBILITIES = ['public', 'connections', 'logged_in'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export const TARGET_KINDS = ['person', 'organization'] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

const MIB = 1024 * 1024;

/** What a platform accepts, as data. */
export interface PlatformLimits {
  readonly platform: Platform;
  readonly text_units: number;
  readonly images: number;
  readonly image_pixels: number;
  readonly image_frames: number;
  readonly video_bytes: { readonly min: number; readonly max: number };
  readonly video_seconds: { readonly min: number; readonly max: number };
  readonly document_bytes: number;
  readonly document_pages: number;
  readonly image_types: readonly string[];
  readonly converted_types: readonly string[];
  readonly video_types: readonly string[];
  readonly document_types: readonly string[];
}

export const LINKEDIN_LIMITS: PlatformLimits = {
  platform: 'linkedin',
  text_units: 3_000,
  images: 20,
  image_pixels: 36_152_319,
  image_frames: 250,
  video_bytes: { min: 75 * 1024, max: 500 * MIB },
  video_seconds: { min: 3, max: 1_800 },
  document_bytes: 100 * MIB,
  document_pages: 300,
  image_types: ['image/jpeg', 'image/png', 'image/gif'],
  converted_types: ['image/heic', 'image/heif', 'image/webp', 'image/tiff', 'image/avif'],
  video_types: ['video/mp4'],
  document_types: [
    'application/pdf',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ],
};
