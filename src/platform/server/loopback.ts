/** Whether only this machine can reach an address. */
export const isLoopback = (host: string): boolean =>
  host.toLowerCase() === 'localhost' ||
  host.endsWith('.localhost') ||
  host === '::1' ||
  host === '[::1]' ||
  /^127(\.\d{1,3}){3}$/.test(host)
