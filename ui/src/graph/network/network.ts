// The server uses the same network indexes to draw its pictures.
export * from '../../../../picture/model/network.ts'
