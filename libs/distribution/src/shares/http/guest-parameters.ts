import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiParam, ApiSecurity } from '@nestjs/swagger';

/** A call of somebody who sends files: the visit in which they do. */
export const InVisit = (): MethodDecorator =>
  ApiHeader({
    name: 'X-Visit',
    required: false,
    description: 'Id of your visit, as returned by your first upload. Without it, a new visit begins.',
    schema: { type: 'string', maxLength: 128 },
  });

/** An upload of a visit. */
export const HasUpload = (): MethodDecorator =>
  applyDecorators(ApiParam({ name: 'id', description: 'Id of the upload.', schema: { type: 'string', format: 'uuid' } }), InVisit());

export const HasKiosk = (): MethodDecorator =>
  ApiParam({ name: 'share_id', description: 'Id of the link.', schema: { type: 'string', format: 'uuid' } });

/** A kiosk on which the caller proves to be an activated device. */
export const OnKioskDevice = (): MethodDecorator => applyDecorators(HasKiosk(), ApiSecurity('KioskDevice'));
