import type { RequestOptions } from '../../support/http-requests.ts'
import { createPlainImage } from '../../support/pictures.ts'

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const BOUNDARY = 'the-boundary'
type FileForm = Required<Pick<RequestOptions, 'headers' | 'body'>>
/** A form with one file. */
export const createFileForm = (type: string, file: Buffer): FileForm => ({
  headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  body: Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\nContent-Type: ${type}\r\n\r\n`),
    file,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]),
})
/** A form with one picture. */
export const createPictureForm = (picture: Buffer = PIXEL): FileForm => createFileForm('image/png', picture)

let drawn = 0
/** A picture that was not uploaded before. */
export const drawPicture = (): Promise<Buffer> =>
  createPlainImage(8 + drawn++, 8)
    .png()
    .toBuffer()
