import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { guestUploadRoutes } from './guest-upload-routes';
import { HasToken } from './public-shares.controller';

/** Uploads by the token of a link. */
@ApiTags('Share links')
@Controller('public/shares/:token')
export class PublicUploadsController extends guestUploadRoutes({
  parameter: 'token',
  ProvesGuest: HasToken,
  enter: 'openByToken',
  beginVisit: 'beginVisitByToken',
  operations: { parts: 'renewShareUploadParts', abort: 'abortShareUpload' },
  readProblems: [],
  texts: {
    check: 'Checks which files need not be sent because the share link has already received their bytes.',
    open: `Creates a guest upload through a share link.

Works like \`POST /uploads\` with the rules of the link: kinds and extensions (400), sizes (413) and number of files (409
\`limit_reached\`). The upload reserves one of the files that the link accepts until it is aborted or expires. The response header
\`X-Visit\` is the id of your visit: send it with every further request. A visit can access only its own uploads.`,
    one: 'Reads an upload of your visit through a share link, with new signed URLs for missing parts.',
    parts: 'Renews the signed URLs of parts of a guest upload and extends it by 24 hours.',
    finalize: 'Finalizes a guest upload: the bytes become a file of the workspace.\n\nA repeated request returns 200 with the same file.',
    abort: 'Aborts a guest upload, deletes the received bytes and releases its reservation.',
  },
}) {}
