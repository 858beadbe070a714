import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { Upload } from '../../contract/call.ts'
import { UNKNOWN_FIELD } from '../../contract/messages.ts'
import { invalidFields, Problem, type FieldError } from '../../contract/problem.ts'
import { getErrorCode } from './error-code.ts'

/**
 * Makes the routes added here accept multipart only. Elsewhere multipart remains an unsupported type, and the plugin's hooks would slow every
 * response.
 */
export const registerUploads = async (app: FastifyInstance): Promise<void> => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(isMultipartRoute()))
  await app.register(multipart)
}

const isMultipartRoute = (): Problem =>
  new Problem(415, 'Please upload a file', { detail: 'Send it as Content-Type: multipart/form-data.' })

/** Room for the form data around the file. */
export const MULTIPART_OVERHEAD_BYTES = 64 * 1024

/** The name that the sender gave a file, kept for as long as the file is in memory. */
const fileNames = new WeakMap<Uint8Array, string>()
const MAX_FILE_NAME_LENGTH = 200
export const getUploadName = (file: Uint8Array): string | undefined =>
  fileNames
    .get(file)
    ?.replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, MAX_FILE_NAME_LENGTH) || undefined

/** The text that a form has besides its file; kept like the name. */
const fileTexts = new WeakMap<Uint8Array, string>()
export const getUploadText = (file: Uint8Array): string | undefined => fileTexts.get(file)

/** The single file of an upload; any other field is refused by name. */
export const readUpload = async (upload: Upload, request: FastifyRequest): Promise<Uint8Array> => {
  if (!request.isMultipart()) throw isMultipartRoute()
  if (Number(request.headers['content-length']) > upload.maxBytes + MULTIPART_OVERHEAD_BYTES) throw new Problem(413, upload.tooLarge)
  try {
    return await readOnlyFile(upload, request)
  } catch (error) {
    throw error instanceof Problem ? error : toFormProblem(upload, error)
  } finally {
    // The rest of a refused body is read and discarded, because a browser reads no response while it is still sending.
    request.raw.unpipe()
    request.raw.resume()
  }
}

/** Reads a file into one buffer, since its chunks and a copy of all of them would take twice as much memory. */
const readFile = async (chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<Uint8Array> => {
  const bytes = Buffer.allocUnsafeSlow(maxBytes)
  let length = 0
  for await (const chunk of chunks) length += chunk.copy(bytes, length)
  return bytes.subarray(0, length)
}

const readOnlyFile = async ({ field, maxBytes, text }: Upload, request: FastifyRequest): Promise<Uint8Array> => {
  const noFile: FieldError = { path: field, message: 'Choose a file' }
  let file: Uint8Array | undefined
  let beside: string | undefined
  for await (const part of request.parts({ limits: { fileSize: maxBytes } })) {
    if (part.fieldname === text && part.type === 'field' && typeof part.value === 'string') {
      beside = part.value
      continue
    }
    if (part.fieldname !== field) {
      const misplaced = part.type === 'file' && !file
      throw invalidFields([{ path: part.fieldname, message: UNKNOWN_FIELD }, ...(misplaced ? [noFile] : [])])
    }
    if (part.type === 'field') throw invalidFields([noFile])
    if (file) throw invalidFields([{ path: field, message: 'Choose one file, not several' }])
    file = await readFile(part.file, Math.min(Number(request.headers['content-length']) || maxBytes, maxBytes))
    fileNames.set(file, part.filename)
  }
  if (!file || file.length === 0) throw invalidFields([noFile])
  if (beside !== undefined) fileTexts.set(file, beside)
  return file
}

/** Parser errors, which the sender caused. */
const toFormProblem = ({ field, tooLarge }: Upload, error: unknown): Problem => {
  const code = getErrorCode(error)
  if (code === 'FST_REQ_FILE_TOO_LARGE') return new Problem(413, tooLarge)
  if (code === 'FST_PROTO_VIOLATION') return invalidFields([{ path: field, message: 'Send one file and nothing else' }])
  return new Problem(400, 'The upload is not valid', { detail: 'It is incomplete or not multipart/form-data.' })
}
