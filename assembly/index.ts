export * from './encode'
export * from './scan'
export * from './walk'
