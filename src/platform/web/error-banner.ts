import { createStore, useStore } from './store.ts'

const message = createStore<string | null>(null)

/** Shows the error banner, 'Error: {message}', until it is clicked. */
export const showError = (next: string): void => message.set(next)
export const clearError = (): void => message.set(null)
export const useErrorMessage = (): string | null => useStore(message)
