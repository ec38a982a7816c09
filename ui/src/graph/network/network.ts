// The server uses the same network indexes to render pictures.
export * from '../../../../picture/model/network.ts'
