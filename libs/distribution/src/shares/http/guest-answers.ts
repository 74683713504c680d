import { applyDecorators, HttpCode, SetMetadata } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { ANSWER, type AnswerShape } from '@atrium/platform/http';
import type { Response } from 'express';
import { GuestUploadView } from './guest-uploads.dto';

/** 201 with the upload and where to read it: below the address of the link, which no answer repeats. */
export const BeginsUpload = (): MethodDecorator =>
  applyDecorators(
    HttpCode(201),
    SetMetadata(ANSWER, { status: 201 } satisfies AnswerShape),
    ApiResponse({
      status: 201,
      description: 'The upload.',
      type: GuestUploadView,
      headers: {
        Location: { description: 'Address of the upload.', schema: { type: 'string' } },
        'X-Visit': { description: 'Id of your visit, if it begins with this request.', schema: { type: 'string' } },
        'X-Device-Token': { description: 'A new device token, for a kiosk whose token is about to expire.', schema: { type: 'string' } },
      },
    }),
  );

/** Names where the upload is read. */
export function withLocation<U extends { readonly upl_id: string }>(response: Response, upload: U): U {
  const [path = ''] = response.req.originalUrl.split('?');
  response.setHeader('Location', `${path.replace(/\/uploads(\/.*)?$/, '')}/uploads/${upload.upl_id}`);
  return upload;
}
