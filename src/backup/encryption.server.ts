import { createCipheriv, createDecipheriv, pbkdf2, randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'

// The format of `openssl enc -aes-256-cbc -pbkdf2 -iter 600000`, so that a backup can be decrypted without Homeroom. The
// checksum inside detects modification.

const MAGIC = Buffer.from('Salted__')
const SALT_BYTES = 8
const ITERATIONS = 600_000
const CIPHER = 'aes-256-cbc'
const [KEY_BYTES, IV_BYTES] = [32, 16]

/** A wrong passphrase, or a modified file. */
export class DecryptionError extends Error {}

const deriveKey = async (passphrase: string, salt: Buffer): Promise<{ key: Buffer; iv: Buffer }> => {
  const bytes = await promisify(pbkdf2)(passphrase, salt, ITERATIONS, KEY_BYTES + IV_BYTES, 'sha256')
  return { key: bytes.subarray(0, KEY_BYTES), iv: bytes.subarray(KEY_BYTES) }
}

export async function* encryptBytes(bytes: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES)
  const { key, iv } = await deriveKey(passphrase, salt)
  const cipher = createCipheriv(CIPHER, key, iv)
  yield Buffer.concat([MAGIC, salt])
  for await (const chunk of bytes) yield cipher.update(chunk)
  yield cipher.final()
}

export const isEncryptedFile = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r')
  try {
    const first = Buffer.alloc(MAGIC.length)
    await file.read(first, 0, first.length, 0)
    return first.equals(MAGIC)
  } finally {
    await file.close()
  }
}

export async function* decryptBytes(bytes: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  let decipher: ReturnType<typeof createDecipheriv> | undefined
  let head: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes) {
    if (decipher) {
      yield decipher.update(chunk)
      continue
    }
    head = Buffer.concat([head, chunk])
    if (head.length < MAGIC.length + SALT_BYTES) continue
    const { key, iv } = await deriveKey(passphrase, head.subarray(MAGIC.length, MAGIC.length + SALT_BYTES))
    decipher = createDecipheriv(CIPHER, key, iv)
    yield decipher.update(head.subarray(MAGIC.length + SALT_BYTES))
  }
  try {
    if (decipher) yield decipher.final()
  } catch (error) {
    throw new DecryptionError('the last block is not what was encrypted', { cause: error })
  }
}
