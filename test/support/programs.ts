import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of a program that may be installed; undefined if it is not. */
export const findProgram = (name: string): string | undefined =>
  (process.env['PATH'] ?? '').split(delimiter).find((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  }) && name
