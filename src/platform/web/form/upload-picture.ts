import {
  MAX_PICTURE_BYTES,
  PICTURE_TYPES,
  TOO_LARGE,
  uploadPicture,
  uploadSuggestedPicture,
  WRONG_TYPE,
} from '../../../contract/pictures.ts'
import { Problem, ProblemBody } from '../../../contract/problem.ts'
import { getCallUrl, reportFailure } from '../client.ts'
import { ConnectionLost } from '../failures.ts'
import { readToken } from '../token.ts'
import { withSignIn } from './open-forms.ts'

/** The error for a file before it is uploaded, by size and type; the server checks its content. Null if it is valid. */
export const validateFile = (file: Pick<File, 'size' | 'type' | 'name'>): string | null => {
  if (file.size > MAX_PICTURE_BYTES) return TOO_LARGE
  // Some systems have no type for an icon.
  const isPicture = PICTURE_TYPES.includes(file.type) || (file.type === '' && /\.(jpe?g|png|ico)$/i.test(file.name))
  return isPicture ? null : WRONG_TYPE
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const sendOnce = (
  call: typeof uploadPicture | typeof uploadSuggestedPicture,
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const { upload } = call
    // `fetch` does not report upload progress.
    const request = new XMLHttpRequest()
    request.open(call.method, getCallUrl(call))
    request.withCredentials = true
    const token = readToken()
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    const fail = (error: Problem | ConnectionLost) => {
      reportFailure({ call, address: getCallUrl(call), body: undefined, error, token })
      reject(error)
    }
    request.addEventListener('abort', () => reject(new DOMException('The upload was canceled', 'AbortError')))
    request.addEventListener('error', () => fail(new ConnectionLost(null)))
    request.addEventListener('load', () => {
      const answer = parseJson(request.responseText)
      const parsed = call.response.safeParse(answer)
      if (request.status < 300 && parsed.success) return resolve(parsed.data._id)
      const problem = ProblemBody.safeParse(answer)
      fail(
        new Problem(request.status, problem.data?.title ?? 'The picture could not be uploaded', {
          detail: problem.data?.detail,
          errors: problem.data?.errors,
        }),
      )
    })
    signal.addEventListener('abort', () => request.abort())
    const form = new FormData()
    form.set(upload.field, file, file.name)
    request.send(form)
  })

/** Uploads a picture and returns its id; asks to sign in again if the session has expired. */
export const uploadFile = (
  file: File,
  { isSuggested, onProgress, signal }: { isSuggested: boolean; onProgress: (share: number) => void; signal: AbortSignal },
): Promise<string> => withSignIn(() => sendOnce(isSuggested ? uploadSuggestedPicture : uploadPicture, file, onProgress, signal))

/** The message for a rejected picture. */
export const formatRefusal = (error: unknown, otherwise: (error: unknown) => string): string => {
  const ofFile = error instanceof Problem ? error.errors?.find(({ path }) => path === uploadPicture.upload.field)?.message : undefined
  return ofFile ?? otherwise(error)
}

/** Whether the server rejected the picture itself; other failures may be temporary. */
export const isRejected = (error: unknown): boolean => error instanceof Problem && [413, 415, 422].includes(error.status)
