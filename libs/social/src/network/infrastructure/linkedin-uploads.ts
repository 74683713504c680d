import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { MINUTE, SECOND } from '@atrium/platform/kernel';
import { SocialFailure } from '../domain/social-failure';
import type { Upload } from '../domain/social-port';
import { ASSET, SINGLE_UPLOAD, VIDEO_UPLOAD } from './linkedin-answers';
import { LinkedInCalls } from './linkedin-calls';

/** How assets of each kind are uploaded, and how long the platform has to process one. */
const KINDS = {
  image: { path: '/rest/images', longestMs: 2 * MINUTE },
  document: { path: '/rest/documents', longestMs: 5 * MINUTE },
  video: { path: '/rest/videos', longestMs: 15 * MINUTE },
} as const;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10 * SECOND;

/** Pictures, videos and documents on their way to LinkedIn; they belong to the author of the post. */
@Injectable()
export class LinkedInUploads {
  constructor(private readonly calls: LinkedInCalls) {}

  /** The urn of the asset, once it is available. */
  async uploadAsset(access: string, upload: Upload, signal: AbortSignal): Promise<string> {
    const urn = upload.kind === 'video' ? await this.sendVideo(access, upload, signal) : await this.sendWhole(access, upload);
    await this.awaitAsset(access, upload.kind, urn, signal);
    return urn;
  }

  private async sendWhole(access: string, { kind, author, size, openRange }: Upload): Promise<string> {
    const { value } = await this.calls.readRest(
      access,
      { method: 'POST', path: `${KINDS[kind].path}?action=initializeUpload`, body: { initializeUploadRequest: { owner: author } } },
      SINGLE_UPLOAD,
    );
    const urn = kind === 'image' ? value.image : value.document;
    if (!urn) throw new SocialFailure('unavailable', 'LinkedIn did not name the upload.');
    await this.calls.putBytes(value.uploadUrl, await openRange(0, size - 1), size, access);
    return urn;
  }

  /** One range after the other; what each answers belongs at its place in the end. */
  private async sendVideo(access: string, { author, size, openRange }: Upload, signal: AbortSignal): Promise<string> {
    const { value } = await this.calls.readRest(
      access,
      {
        method: 'POST',
        path: '/rest/videos?action=initializeUpload',
        body: { initializeUploadRequest: { owner: author, fileSizeBytes: size, uploadCaptions: false, uploadThumbnail: false } },
      },
      VIDEO_UPLOAD,
    );
    const uploadedPartIds: string[] = [];
    for (const { uploadUrl, firstByte, lastByte } of value.uploadInstructions) {
      signal.throwIfAborted();
      const { headers } = await this.calls.putBytes(uploadUrl, await openRange(firstByte, lastByte), lastByte - firstByte + 1, access);
      if (!headers.etag) throw new SocialFailure('unavailable', 'LinkedIn did not confirm a part of the video.');
      uploadedPartIds.push(headers.etag);
    }
    await this.calls.callRest(access, {
      method: 'POST',
      path: '/rest/videos?action=finalizeUpload',
      body: { finalizeUploadRequest: { video: value.video, uploadToken: value.uploadToken, uploadedPartIds } },
    });
    return value.video;
  }

  private async awaitAsset(access: string, kind: Upload['kind'], urn: string, signal: AbortSignal): Promise<void> {
    const { path, longestMs } = KINDS[kind];
    let pauseMs = FIRST_PAUSE_MS;
    for (let waited = 0; waited <= longestMs; waited += pauseMs) {
      const { status } = await this.calls.readRest(access, { method: 'GET', path: `${path}/${encodeURIComponent(urn)}` }, ASSET);
      if (status === 'AVAILABLE') return;
      if (status === 'PROCESSING_FAILED') throw new SocialFailure('rejected', 'LinkedIn could not process the file.');
      await pause(pauseMs, undefined, { signal });
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
    }
    throw new SocialFailure('unavailable', 'LinkedIn did not finish processing the file in time.');
  }
}
