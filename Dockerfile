# The contents of a release (npm run release), built from this checkout.
FROM node:24-bookworm-slim AS build
WORKDIR /build
ARG SOURCE_DATE_EPOCH=0
COPY package.json package-lock.json ./
COPY runtime ./runtime
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npx vite build && node_modules/.bin/node scripts/release.ts --folder /release

FROM debian:bookworm-slim
ENV HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
RUN useradd --uid 1000 homeroom && mkdir /data && chown homeroom:homeroom /data \
  && ln -s /opt/homeroom/bin/homeroom /usr/local/bin/homeroom
COPY --from=build /release /opt/homeroom
USER homeroom
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["/opt/homeroom/bin/node", "-e", "fetch('http://127.0.0.1:3000/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["homeroom", "start"]
