-- Why a file that was read has no renditions: a code for programs and a sentence for people.
CREATE FUNCTION why_no_renditions(kind text, size bigint, processing text, fault text) RETURNS jsonb
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN jsonb_build_object(
    'code', CASE WHEN size = 0 THEN 'empty' ELSE coalesce(fault, CASE WHEN processing = 'quarantined' THEN 'quarantined' WHEN kind IN ('image', 'video') THEN 'not_made' ELSE 'no_picture' END) END,
    'detail', CASE
      WHEN size = 0 THEN 'The file is empty.'
      WHEN processing = 'quarantined' THEN 'The file is in quarantine.'
      ELSE CASE fault
        WHEN 'unreadable' THEN 'The bytes cannot be read as what they seem to be.'
        WHEN 'damaged' THEN 'Bytes are missing or wrong, and nothing of it could be shown.'
        WHEN 'unsupported_format' THEN 'Pictures of this format are not rendered.'
        WHEN 'too_many_pixels' THEN 'The picture has more pixels than are decoded.'
        WHEN 'too_large' THEN 'The file is larger than what is decoded in memory.'
        WHEN 'too_complex' THEN 'The drawing would take too long to draw.'
        WHEN 'document_type' THEN 'The drawing declares entities, which are not read.'
        WHEN 'external_reference' THEN 'The drawing refers to something outside itself, which is not fetched.'
        WHEN 'timed_out' THEN 'Rendering took too long and was stopped.'
        WHEN 'out_of_memory' THEN 'Rendering took too much memory and was stopped.'
        WHEN 'crashed' THEN 'Rendering ended unexpectedly.'
        WHEN 'encrypted' THEN 'The document opens with a password only.'
        WHEN 'no_video_tools' THEN 'This installation has no tools that render films (ffmpeg and ffprobe).'
        WHEN 'storage_failed' THEN 'The bytes could not be read from storage.'
        ELSE CASE WHEN fault IS NOT NULL THEN 'The file could not be rendered.' WHEN kind IN ('image', 'video') THEN 'No picture was made of the file.' ELSE 'Files of this kind have no picture.' END
      END
    END);
